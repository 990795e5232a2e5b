// SPDX-License-Identifier: BSD-3-Clause
// The results of `tutti reproduce --measure`: tables, pictures and a page of docs/measurements, and
// the file that --save keeps.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "papers/common/chart.hpp"
#include "support/table.hpp"

namespace tutti::papers {

struct MeasuredTable {
  std::string name;   // such as "table 5"
  std::string title;  // what it shows
  tools::Table table;
  std::vector<std::string> notes;
};
[[nodiscard]] std::string text_of(const std::vector<MeasuredTable>& tables);
// By name, each as an array of rows.
[[nodiscard]] nlohmann::json json_of(const std::vector<MeasuredTable>& tables);

// A page that a person may begin: what stands above its mark stays.
struct MeasuredPage {
  std::string paper;  // "000"
  std::string file;   // "blacs-timing.md"
  std::string title;
};
// The tables and the pictures as Markdown, below a sentence about the machine.
[[nodiscard]] std::string markdown_of(const std::string& machine,
                                      const std::vector<MeasuredTable>& tables,
                                      const std::vector<Chart>& charts);
// Throws base::Error(invalid_argument) if the folder has another page of that name.
void check_page(const MeasuredPage& page, const std::string& folder);
// Writes the page and its pictures into the folder.
void write_measured_page(const MeasuredPage& page, const std::string& text,
                         const std::vector<Chart>& charts, const std::string& folder);
// A sentence or two about this machine, the date, how it was measured, and what disturbed it.
[[nodiscard]] std::string measured_on(const std::string& how, const std::string& busy);
// Breaks a line of text at 100 columns.
[[nodiscard]] std::string filled(const std::string& text);

// Reads what keep_measured() has written. Throws base::Error(invalid_argument) if the file cannot
// be read or is none of `--measure PAPER --save`.
[[nodiscard]] nlohmann::json measured_from(const std::string& path, const std::string& paper);
// The paper whose times a file keeps; empty if it keeps none.
[[nodiscard]] std::string paper_of_measured(const std::string& path);
[[noreturn]] void refuse_measured(const std::string& path, const std::string& paper,
                                  const std::string& why);
// If the command is interrupted, the file of the round before stays. `json` has the paper's name.
void keep_measured(const nlohmann::json& json, const std::string& path);

}  // namespace tutti::papers

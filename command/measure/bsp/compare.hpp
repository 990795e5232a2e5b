// SPDX-License-Identifier: BSD-3-Clause
// `tutti predict --compare`: how far the models are from runs of programs, in the form of the
// tables in appendices D to G of Krusche's thesis.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bsp_model/machine.hpp"

namespace tutti::tools {

// A run, and what was known before it.
struct ComparedRun {
  std::string table, row;  // where its error belongs; a row is the mean of its runs
  int processes = 0;
  std::string machine, profile;
  double measured = 0;              // seconds
  double alone = 0;                 // seconds of one process for the same work; 0 if unknown
  std::vector<double> predicted{};  // by model
};

// A mean of runs, or a median of such means, of each quantity in %.
struct ComparedRow {
  std::string name;
  int processes = 0;
  double efficiency = 0;       // the largest of the runs; 0 if unknown
  std::vector<double> errors;  // by model
};

struct ComparedTable {
  std::string name;
  std::vector<ComparedRow> rows;
  std::vector<double> medians;  // of the rows' errors, by model
};

// Reads a list of runs and predicts each; `request` says how, but not for which machine. Throws
// base::Error.
[[nodiscard]] std::vector<ComparedRun> compared_runs(const std::string& file,
                                                     const MachineRequest& request);
// Tables, and rows within them, keep the order in which they come first.
[[nodiscard]] std::vector<ComparedTable> compared_tables(const std::vector<ComparedRun>& runs);

[[nodiscard]] std::string compared_text(const std::vector<ComparedTable>& tables);
[[nodiscard]] nlohmann::json compared_json(const std::vector<ComparedRun>& runs,
                                           const std::vector<ComparedTable>& tables);

}  // namespace tutti::tools

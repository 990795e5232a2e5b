// SPDX-License-Identifier: BSD-3-Clause
// Tables that verbs print: as aligned text, as CSV, as JSON and as Markdown.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/screen.hpp"

namespace tutti::tools {

class Table {
 public:
  // Cells are numbers, truth values, texts, or nothing (null).
  using Row = std::vector<nlohmann::json>;

  // Columns look like the line of their heads: "operation<14; bytes>7;  time us>9.3f" has three.
  // The blanks (or bars) before a head stand before the column, < and > align it, and the number is
  // its least width in characters; a longer cell makes it wider. The rest (.3f) says how numbers in
  // the column are printed. Tables for CSV and JSON need heads only.
  explicit Table(std::string_view columns) { add_columns(columns); }

  void add_columns(std::string_view columns);
  void add(Row row) { rows_.push_back(std::move(row)); }
  // Like add(), for the best row, which a terminal shows in a colour.
  void add_best(Row row);

  // The heads and the rows, each with a line's end. Blanks at the end of a line are left out. On a
  // terminal, columns that do not fit into a line stand below it, heads are bold, "yes" is green
  // and "NO" is red.
  [[nodiscard]] std::string text() const { return text(screen()); }
  [[nodiscard]] std::string text(const Screen& on) const;
  // Only the rows, as they are where there is no terminal.
  [[nodiscard]] std::string rows_text() const;
  // RFC 4180: cells that contain a comma, a quote or a line's end stand in quotes.
  [[nodiscard]] std::string csv() const;
  // An array with an object for each row.
  [[nodiscard]] nlohmann::json json() const;
  [[nodiscard]] std::string markdown() const;

 private:
  struct Column {
    std::string before, head;
    bool left;
    std::size_t width;
    std::string format;
  };

  // The heads, then the rows, with numbers printed.
  [[nodiscard]] std::vector<std::vector<std::string>> lines() const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;
  std::vector<std::size_t> best_;  // numbers of rows
};

// JSON with a line's end, as every verb prints it. Bytes that are no UTF-8 are replaced.
[[nodiscard]] std::string json_text(const nlohmann::json& json);
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& json);

}  // namespace tutti::tools

// SPDX-License-Identifier: BSD-3-Clause
// Tables that verbs print as aligned text, as CSV, as JSON and as Markdown.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::tools {

struct Cell {
  // Makes a cell of a number or truth value, printed as {fmt} does, of a text, or of nothing
  // (null).
  Cell(nlohmann::json given);
  template <class Value>
  Cell(const Value& given) : Cell(nlohmann::json(given)) {}

  std::string text;
  nlohmann::json value;
};

class Table {
 public:
  // Columns look like the line of their heads: "operation<14; bytes>7;  time us>9.3f" has three.
  // The blanks (or bars) before a head stand before the column, < and > align it, and the number is
  // its least width in characters; a longer cell makes it wider. Numbers in it are printed by the
  // rest
  // (.3f). For CSV and JSON the heads suffice.
  explicit Table(std::string_view columns) { add_columns(columns); }

  void add_columns(std::string_view columns);
  void add(std::vector<Cell> row);

  // Returns the heads and the rows, each with a line end. Trailing blanks are left out.
  [[nodiscard]] std::string text() const;
  // Returns only the rows of text().
  [[nodiscard]] std::string rows_text() const;
  // Follows RFC 4180: cells that contain a comma, a quote or a line end are quoted.
  [[nodiscard]] std::string csv() const;
  // Returns an array with one object for each row.
  [[nodiscard]] nlohmann::json json() const;
  [[nodiscard]] std::string markdown() const;

 private:
  struct Column {
    std::string before, head;
    bool left;
    std::size_t width;
    std::string format;
  };

  [[nodiscard]] std::vector<std::string> heads() const;
  [[nodiscard]] std::vector<std::size_t> widths() const;
  [[nodiscard]] std::string text_line(const std::vector<std::string>& cells,
                                      const std::vector<std::size_t>& wide) const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

// Returns JSON with a line end, as every verb prints it. Bytes that are not UTF-8 are replaced.
[[nodiscard]] std::string json_text(const nlohmann::json& json);
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& json);

}  // namespace tutti::tools

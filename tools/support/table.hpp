// SPDX-License-Identifier: BSD-3-Clause
// Tables that verbs print: as aligned text, as CSV, as JSON and as Markdown.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace tutti::tools {

enum class Align { left, right };

struct Column {
  std::string head;
  std::size_t width = 0;  // characters of text at least; a longer cell makes the column wider
  Align align = Align::right;
  std::string before = " ";  // what separates it from the column before it in text
  std::string key = {};      // its name in JSON; the head if empty
};

struct Cell {
  // A number or a truth value as {fmt} prints it, a text, or nothing (null).
  Cell(nlohmann::json given);
  template <class Value>
  Cell(const Value& given) : Cell(nlohmann::json(given)) {}

  std::string text;
  nlohmann::json value;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add(std::vector<Cell> row);

  // The heads and the rows, each with a line's end. Blanks at the end of a line are left out.
  [[nodiscard]] std::string text() const;
  // Only the rows of text().
  [[nodiscard]] std::string rows_text() const;
  // RFC 4180: cells that contain a comma, a quote or a line's end stand in quotes.
  [[nodiscard]] std::string csv() const;
  // An array with an object for each row.
  [[nodiscard]] nlohmann::json json() const;
  [[nodiscard]] std::string markdown() const;

 private:
  [[nodiscard]] std::vector<std::string> heads() const;
  [[nodiscard]] std::vector<std::size_t> widths() const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

// JSON with a line's end, as every verb prints it. Bytes that are no UTF-8 are replaced.
[[nodiscard]] std::string json_text(const nlohmann::json& json);
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& json);

}  // namespace tutti::tools

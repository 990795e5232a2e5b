// SPDX-License-Identifier: BSD-3-Clause
// Writes tables and JSON.
#include "support/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tutti::tools {
namespace {

std::string text_of_value(const nlohmann::json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  return value.is_number_float() ? fmt::format("{}", value.get<double>()) : value.dump();
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

std::string markdown_cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? "\\|" : std::string(1, c);
  return escaped;
}

std::vector<std::string> texts_of(const std::vector<Cell>& row) {
  std::vector<std::string> texts;
  for (const Cell& cell : row) texts.push_back(cell.text);
  return texts;
}

std::string text_line(const std::vector<Column>& columns, const std::vector<std::size_t>& widths,
                      const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) line += columns[i].before;
    line += columns[i].align == Align::left ? fmt::format("{:<{}}", cells[i], widths[i])
                                            : fmt::format("{:>{}}", cells[i], widths[i]);
  }
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) line += (i > 0 ? "," : "") + csv_cell(cells[i]);
  return line + "\n";
}

std::string markdown_line(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + markdown_cell(cell) + " |";
  return line + "\n";
}

template <class Json>
std::string dumped(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

Cell::Cell(nlohmann::json given) : text(text_of_value(given)), value(std::move(given)) {}

void Table::add(std::vector<Cell> row) {
  rows_.push_back(std::move(row));
}

std::vector<std::string> Table::heads() const {
  std::vector<std::string> heads;
  for (const Column& column : columns_) heads.push_back(column.head);
  return heads;
}

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t width = std::max(columns_[i].width, columns_[i].head.size());
    for (const auto& row : rows_) width = std::max(width, row[i].text.size());
    widths.push_back(width);
  }
  return widths;
}

std::string Table::text() const {
  return text_line(columns_, widths(), heads()) + rows_text();
}

std::string Table::rows_text() const {
  const std::vector<std::size_t> wide = widths();
  std::string text;
  for (const auto& row : rows_) text += text_line(columns_, wide, texts_of(row));
  return text;
}

std::string Table::csv() const {
  std::string text = csv_line(heads());
  for (const auto& row : rows_) text += csv_line(texts_of(row));
  return text;
}

nlohmann::json Table::json() const {
  nlohmann::json all = nlohmann::json::array();
  for (const auto& row : rows_) {
    nlohmann::json& object = all.emplace_back(nlohmann::json::object());
    for (std::size_t i = 0; i < columns_.size(); ++i)
      object[columns_[i].key.empty() ? columns_[i].head : columns_[i].key] = row[i].value;
  }
  return all;
}

std::string Table::markdown() const {
  std::string text = markdown_line(heads()) + "|";
  for (std::size_t i = 0; i < columns_.size(); ++i) text += "---|";
  text += "\n";
  for (const auto& row : rows_) text += markdown_line(texts_of(row));
  return text;
}

std::string json_text(const nlohmann::json& json) {
  return dumped(json);
}

std::string json_text(const nlohmann::ordered_json& json) {
  return dumped(json);
}

}  // namespace tutti::tools

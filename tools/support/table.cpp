// SPDX-License-Identifier: BSD-3-Clause
// Writes tables and JSON.
#include "support/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "base/number.hpp"

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

void Table::add_columns(std::string_view columns) {
  for (const auto part : std::views::split(columns, ';')) {
    const std::string column(part.begin(), part.end());
    const std::size_t head = std::min(column.find_first_not_of(" |"), column.size());
    const std::size_t sign = std::min(column.find_last_of("<>"), column.size());
    const std::string rest = column.substr(std::min(sign + 1, column.size()));
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    columns_.push_back(
        {column.substr(0, head), column.substr(head, sign - head), column[sign] == '<',
         base::number_in<std::size_t>(rest.substr(0, digits)).value_or(0), rest.substr(digits)});
  }
}

void Table::add(std::vector<Cell> row) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::string& format = columns_[i].format;
    if (!format.empty() && row[i].value.is_number())
      row[i].text = fmt::format(fmt::runtime("{:" + format + "}"), row[i].value.get<double>());
  }
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

std::string Table::text_line(const std::vector<std::string>& cells,
                             const std::vector<std::size_t>& wide) const {
  std::string line;
  for (std::size_t i = 0; i < columns_.size(); ++i)
    line += columns_[i].before + (columns_[i].left ? fmt::format("{:<{}}", cells[i], wide[i])
                                                   : fmt::format("{:>{}}", cells[i], wide[i]));
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

std::string Table::text() const {
  return text_line(heads(), widths()) + rows_text();
}

std::string Table::rows_text() const {
  const std::vector<std::size_t> wide = widths();
  std::string text;
  for (const auto& row : rows_) text += text_line(texts_of(row), wide);
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
    for (std::size_t i = 0; i < columns_.size(); ++i) object[columns_[i].head] = row[i].value;
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

// SPDX-License-Identifier: BSD-3-Clause
// Writes tables and JSON.
#include "support/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/number.hpp"
#include "support/table_text.hpp"

namespace tutti::tools {
namespace {

using Line = std::vector<std::string>;

std::string text_of(const nlohmann::json& value, const std::string& format) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number() && !format.empty())
    return fmt::format(fmt::runtime("{:" + format + "}"), value.get<double>());
  return value.is_number_float() ? fmt::format("{}", value.get<double>()) : value.dump();
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

std::string markdown_line(const Line& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) {
    line += ' ';
    for (const char c : cell) line += c == '|' ? "\\|" : std::string(1, c);
    line += " |";
  }
  return line + "\n";
}

template <class Json>
std::string dumped(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

void Table::add_columns(std::string_view columns) {
  while (!columns.empty()) {
    const std::string column(columns.substr(0, columns.find(';')));
    columns.remove_prefix(std::min(column.size() + 1, columns.size()));
    const std::size_t head = std::min(column.find_first_not_of(" |"), column.size());
    const std::size_t sign = std::min(column.find_last_of("<>"), column.size());
    const std::string rest = column.substr(std::min(sign + 1, column.size()));
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    columns_.push_back(
        {column.substr(0, head), column.substr(head, sign - head), column[sign] == '<',
         base::number_in<std::size_t>(rest.substr(0, digits)).value_or(0), rest.substr(digits)});
  }
}

void Table::add_best(Row row) {
  best_.push_back(rows_.size());
  add(std::move(row));
}

std::vector<Line> Table::lines() const {
  std::vector<Line> lines(rows_.size() + 1);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    lines[0].push_back(columns_[i].head);
    for (std::size_t row = 0; row < rows_.size(); ++row)
      lines[row + 1].push_back(text_of(rows_[row][i], columns_[i].format));
  }
  return lines;
}

std::string Table::text(const Screen& on) const {
  std::vector<TextColumn> columns;
  for (const Column& column : columns_)
    columns.push_back({column.before, column.left ? Align::left : Align::right, column.width});
  return text_of_lines(lines(), columns, best_, on);
}

std::string Table::rows_text() const {
  const std::string all = text(Screen{});
  return all.substr(all.find('\n') + 1);
}

std::string Table::csv() const {
  std::string text;
  for (const Line& line : lines()) {
    for (std::size_t i = 0; i < line.size(); ++i) text += (i > 0 ? "," : "") + csv_cell(line[i]);
    text += '\n';
  }
  return text;
}

nlohmann::json Table::json() const {
  nlohmann::json all = nlohmann::json::array();
  for (const Row& row : rows_) {
    nlohmann::json& object = all.emplace_back(nlohmann::json::object());
    for (std::size_t i = 0; i < columns_.size(); ++i) object[columns_[i].head] = row[i];
  }
  return all;
}

std::string Table::markdown() const {
  std::vector<Line> all = lines();
  std::string text = markdown_line(all[0]) + "|";
  for (std::size_t i = 0; i < columns_.size(); ++i) text += "---|";
  text += '\n';
  for (const Line& line : std::span(all).subspan(1)) text += markdown_line(line);
  return text;
}

std::string json_text(const nlohmann::json& json) {
  return dumped(json);
}

std::string json_text(const nlohmann::ordered_json& json) {
  return dumped(json);
}

}  // namespace tutti::tools

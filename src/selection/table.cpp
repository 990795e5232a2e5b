// SPDX-License-Identifier: BSD-3-Clause
// Reads tuning tables.
#include "selection/table.hpp"

#include <toml++/toml.h>

#include <algorithm>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "selection/policy.hpp"

namespace tutti::selection {
namespace {

constexpr std::string_view keys[] = {"operation", "ranks", "bytes", "algorithm"};

template <class... Args>
[[noreturn]] void reject(const std::string& origin, int line, fmt::format_string<Args...> text,
                         Args&&... args) {
  base::fail(base::Status::invalid_argument, "{}: line {}: {}", origin, line,
             fmt::format(text, std::forward<Args>(args)...));
}

int line_of(const toml::node& node) {
  return static_cast<int>(node.source().begin.line);
}

// Reads a number, such as 4096 or "4K".
std::optional<std::int64_t> number_of(const toml::node& node) {
  if (const auto number = node.value_exact<std::int64_t>())
    return *number >= 0 ? number : std::nullopt;
  const auto text = node.value_exact<std::string>();
  return text ? base::parse_bytes(*text) : std::nullopt;
}

Range range_of(const toml::table& row, std::string_view key, const std::string& origin) {
  const toml::node* const node = row.get(key);
  if (node == nullptr) return {};
  const toml::array* const ends = node->as_array();
  if (ends != nullptr && ends->size() == 2) {
    const auto first = number_of(*ends->get(0)), last = number_of(*ends->get(1));
    if (first && last && *first <= *last) return {*first, *last};
  }
  reject(origin, line_of(*node),
         "{} must be the first and the last of a range, such as [2, 8] or [0, \"64K\"]", key);
}

std::string text_of(const toml::table& row, std::string_view key, const std::string& origin) {
  const toml::node* const node = row.get(key);
  const auto text = node == nullptr ? std::nullopt : node->value_exact<std::string>();
  if (!text) {
    reject(origin, line_of(node == nullptr ? static_cast<const toml::node&>(row) : *node),
           "a [[plan]] needs {} = \"...\"", key);
  }
  return *text;
}

TableRow row_of(const toml::table& row, const std::string& origin) {
  for (const auto& [key, node] : row) {
    if (std::find(std::begin(keys), std::end(keys), key.str()) != std::end(keys)) continue;
    reject(origin, line_of(node), "a [[plan]] has operation, ranks, bytes and algorithm, but no {}",
           key.str());
  }
  const std::string operation = text_of(row, "operation", origin),
                    algorithm = text_of(row, "algorithm", origin);
  TableRow made;
  made.line = line_of(row);
  made.ranks = range_of(row, "ranks", origin);
  made.bytes = range_of(row, "bytes", origin);
  try {
    made.operation = operation_named(operation);
    const Forced plan = parse_plan(made.operation, algorithm);
    made.generator = plan.generator;
    made.settings = plan.settings;
  } catch (const base::Error& error) {
    reject(origin, made.line, "{}", error.what());
  }
  return made;
}

}  // namespace

bool Table::divides(schedule::Operation operation, int p, const Range& bytes) const {
  return std::any_of(rows_.begin(), rows_.end(), [&](const TableRow& row) {
    if (row.operation != operation || !row.ranks.contains(p)) return false;
    return row.bytes.contains(bytes.first) != row.bytes.contains(bytes.last) ||
           (bytes.first < row.bytes.first && row.bytes.last < bytes.last);
  });
}

Table parse_table(std::string_view text, const std::string& origin) {
  toml::table file;
  try {
    file = toml::parse(text, origin);
  } catch (const toml::parse_error& error) {
    reject(origin, static_cast<int>(error.source().begin.line), "{}", error.description());
  }
  std::vector<TableRow> rows;
  const toml::node* const plans = file.get("plan");
  if (plans == nullptr) return {};
  if (plans->as_array() == nullptr)
    reject(origin, line_of(*plans), "plan must be written [[plan]]");
  for (const toml::node& node : *plans->as_array()) {
    const toml::table* const row = node.as_table();
    if (row == nullptr) reject(origin, line_of(node), "plan must be written [[plan]]");
    rows.push_back(row_of(*row, origin));
  }
  return {origin, std::move(rows)};
}

}  // namespace tutti::selection

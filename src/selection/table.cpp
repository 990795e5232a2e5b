// SPDX-License-Identifier: BSD-3-Clause
// Reads tuning tables.
#include "selection/table.hpp"

#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <limits>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "machine/toml_text.hpp"
#include "selection/policy.hpp"

namespace tutti::selection {
namespace {

constexpr std::string_view keys[] = {"operation",  "ranks", "bytes", "algorithm",
                                     "processors", "ratio", "date"};
constexpr std::string_view mpi_keys[] = {"mpi", "operator"};  // of rows for programs of an MPI

constexpr std::string_view mpi_operations[] = {
    "barrier",  "bcast",     "reduce",    "allreduce",      "gather",
    "gatherv",  "scatter",   "scatterv",  "allgather",      "allgatherv",
    "alltoall", "alltoallv", "alltoallw", "reduce_scatter", "reduce_scatter_block",
    "scan",     "exscan"};

template <class List>
bool has(const List& list, std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

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

// Returns a text that must be one of `words`.
template <class List>
std::string word_of(const toml::table& row, std::string_view key, const List& words,
                    const std::string& origin) {
  std::string text = text_of(row, key, origin);
  if (has(words, text)) return text;
  reject(origin, line_of(*row.get(key)), "{} is \"{}\", but it must be one of {}", key, text,
         fmt::join(words, ", "));
}

RowOrigin origin_of(const toml::table& row, const std::string& origin) {
  RowOrigin found;
  if (const toml::node* const node = row.get("processors")) {
    const auto number = node->value_exact<std::int64_t>();
    if (!number || *number < 1 || *number > std::numeric_limits<int>::max())
      reject(origin, line_of(*node), "processors must be a number, 1 or more");
    found.processors = static_cast<int>(*number);
  }
  if (const toml::node* const node = row.get("ratio")) {
    const auto ratio = node->value<double>();
    if (!node->is_number() || !ratio || !(*ratio > 0))
      reject(origin, line_of(*node), "ratio must be a number above 0");
    found.ratio = *ratio;
  }
  if (row.contains("date")) found.date = text_of(row, "date", origin);
  return found;
}

void require_known_keys(const toml::table& row, const std::string& origin) {
  for (const auto& [key, node] : row) {
    const bool of_mpi = row.contains("mpi") && has(mpi_keys, key.str());
    if (of_mpi || has(keys, key.str())) continue;
    reject(origin, line_of(node), "a [[plan]] has {}, but no {}", fmt::join(keys, ", "), key.str());
  }
}

TableRow row_of(const toml::table& row, const std::string& origin) {
  const std::string operation = text_of(row, "operation", origin),
                    algorithm = text_of(row, "algorithm", origin);
  TableRow made;
  made.line = line_of(row);
  made.ranks = range_of(row, "ranks", origin);
  made.bytes = range_of(row, "bytes", origin);
  made.origin = origin_of(row, origin);
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

MpiRow mpi_row_of(const toml::table& row, const std::string& origin) {
  static constexpr std::string_view mpis[] = {"openmpi", "mpich"}, servers[] = {"native", "tutti"},
                                    operators[] = {"tutti", "mpi"};
  MpiRow made;
  made.line = line_of(row);
  made.mpi = word_of(row, "mpi", mpis, origin);
  made.operation = word_of(row, "operation", mpi_operations, origin);
  made.mpi_combines =
      row.contains("operator") && word_of(row, "operator", operators, origin) == "mpi";
  made.ranks = range_of(row, "ranks", origin);
  made.bytes = range_of(row, "bytes", origin);
  made.native = word_of(row, "algorithm", servers, origin) == "native";
  made.origin = origin_of(row, origin);
  return made;
}

}  // namespace

const MpiRow* Table::row_for(const MpiCall& call, int processors) const {
  const auto found = std::find_if(mpi_rows_.begin(), mpi_rows_.end(), [&](const MpiRow& row) {
    return row.mpi == call.mpi && row.operation == call.operation &&
           row.mpi_combines == call.mpi_combines && row.ranks.contains(call.ranks) &&
           row.bytes.contains(call.bytes) && row.origin.serves(processors);
  });
  return found == mpi_rows_.end() ? nullptr : &*found;
}

bool Table::divides(schedule::Operation operation, int p, const Range& bytes,
                    int processors) const {
  return std::any_of(rows_.begin(), rows_.end(), [&](const TableRow& row) {
    if (row.operation != operation || !row.ranks.contains(p)) return false;
    if (!row.origin.serves(processors)) return false;
    return row.bytes.contains(bytes.first) != row.bytes.contains(bytes.last) ||
           (bytes.first < row.bytes.first && row.bytes.last < bytes.last);
  });
}

Table parse_table(std::string_view text, const std::string& origin) {
  toml::table file;
  try {
    file = machine::read_toml(text, origin);
  } catch (const machine::TomlProblem& problem) {
    reject(origin, problem.line, "{}", problem.why);
  }
  std::vector<TableRow> rows;
  std::vector<MpiRow> mpi_rows;
  const toml::node* const plans = file.get("plan");
  if (plans == nullptr) return {};
  if (plans->as_array() == nullptr)
    reject(origin, line_of(*plans), "plan must be written [[plan]]");
  for (const toml::node& node : *plans->as_array()) {
    const toml::table* const row = node.as_table();
    if (row == nullptr) reject(origin, line_of(node), "plan must be written [[plan]]");
    require_known_keys(*row, origin);
    if (row->contains("mpi")) {
      mpi_rows.push_back(mpi_row_of(*row, origin));
    } else {
      rows.push_back(row_of(*row, origin));
    }
  }
  return {origin, std::move(rows), std::move(mpi_rows)};
}

}  // namespace tutti::selection

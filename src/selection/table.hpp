// SPDX-License-Identifier: BSD-3-Clause
// A tuning table: plans by name for ranges of ranks and bytes, from a file that people can read and
// write. A table can only name plans; the Chooser decides whether one may serve a call.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/generator.hpp"
#include "selection/settings.hpp"

namespace tutti::selection {

// A range of numbers to which both ends belong.
struct Range {
  std::int64_t first = 0;
  std::int64_t last = std::numeric_limits<std::int64_t>::max();
  [[nodiscard]] bool contains(std::int64_t value) const { return first <= value && value <= last; }
};

struct TableRow {
  schedule::Operation operation{};
  Range ranks, bytes;
  const schedule::Generator* generator = nullptr;
  Settings settings;
  int line = 0;  // line of the file
};

class Table {
 public:
  Table() = default;
  Table(std::string origin, std::vector<TableRow> rows)
      : origin_(std::move(origin)), rows_(std::move(rows)) {}

  [[nodiscard]] bool empty() const { return rows_.empty(); }
  [[nodiscard]] const std::string& origin() const { return origin_; }
  // The rows in the order of the file; the first one that serves a call counts.
  [[nodiscard]] std::span<const TableRow> rows() const { return rows_; }
  // Returns true if some row for this operation and number of ranks begins or ends between the two
  // sizes, so that sizes between them are not all treated alike.
  [[nodiscard]] bool divides(schedule::Operation operation, int p, const Range& bytes) const;

 private:
  std::string origin_;
  std::vector<TableRow> rows_;
};

// Reads the array [[plan]] of a TOML file, whatever else is in it. Throws Error(invalid_argument)
// that names file and line.
[[nodiscard]] Table parse_table(std::string_view toml, const std::string& origin);

}  // namespace tutti::selection

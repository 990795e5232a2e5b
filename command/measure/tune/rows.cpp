// SPDX-License-Identifier: BSD-3-Clause
// Decides which rows of a profile stay, which are removed and which are added.
#include "tune/rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "bench/request.hpp"
#include "schedule/printer.hpp"
#include "selection/choose.hpp"
#include "selection/explain.hpp"
#include "selection/policy.hpp"
#include "selection/size_class.hpp"

namespace tutti::tools {
namespace {
using selection::Range;
using selection::TableRow;

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

std::string plan_of(const TableRow& row) {
  return selection::plan_name(*row.generator, row.settings);
}

std::string range_text(const Range& range) {
  return fmt::format("[{}, {}]", range.first, range.last);
}

bool is_all(const Range& range) {
  return range.first == 0 && range.last == unlimited;
}

// The part that all rows have.
std::string toml_of_rest(const Range& ranks, const Range& bytes, const std::string& algorithm,
                         const selection::RowOrigin& origin) {
  std::string text;
  if (!is_all(ranks)) text += fmt::format("ranks = {}\n", range_text(ranks));
  if (!is_all(bytes)) text += fmt::format("bytes = {}\n", range_text(bytes));
  text += fmt::format("algorithm = \"{}\"\n", algorithm);
  if (origin.processors > 0) text += fmt::format("processors = {}\n", origin.processors);
  if (origin.ratio > 0) text += fmt::format("ratio = {:.3g}\n", origin.ratio);
  if (!origin.date.empty()) text += fmt::format("date = \"{}\"\n", origin.date);
  return text;
}

// Returns for example "broadcast by mst, 2 to 16 processes, above 8 KiB, up to 64 KiB".
std::string words_for(const TableRow& row) {
  return fmt::format("{} by {}, {}, {}", schedule::to_text(row.operation), plan_of(row),
                     ranks_text(row.ranks), selection::sizes_text(row.bytes));
}

selection::Question question_of(const TunedPoint& point) {
  selection::Question question;
  question.operation = point.operation;
  question.p = point.ranks;
  return question;
}

// Returns the first of the rows that serves the point.
std::vector<TableRow>::const_iterator serving(const std::vector<TableRow>& rows,
                                              const TunedPoint& point) {
  const selection::Chooser chooser({}, std::nullopt, {selection::Table("", rows)});
  const std::int64_t asked = chooser.size_asked_for(point.operation, point.ranks, point.bytes);
  return std::find_if(rows.begin(), rows.end(), [&](const TableRow& row) {
    return row.operation == point.operation && row.ranks.contains(point.ranks) &&
           row.bytes.contains(asked) && row.origin.serves(chooser.processors()) &&
           selection::rejection({row.generator, row.settings, plan_of(row), {}, {}},
                                question_of(point))
               .empty();
  });
}

// Returns why a row is removed that serves the point with a plan other than the decided one. Either
// its plan was measured as the present one, or rows before it served the point until they were
// removed.
std::string why_gone(const TableRow& row, const TunedPoint& point) {
  const std::string at = fmt::format("at {} processes, {}", point.ranks,
                                     selection::bytes_text(static_cast<double>(point.bytes)));
  const Decision& decision = point.decision;
  if (plan_of(row) != point.present) {
    return fmt::format("hidden by rows that go; it was not compared with {}, which serves {}",
                       decision.plan, at);
  }
  const std::string slower = fmt::format("{} of the time of {} {}",
                                         ratios_text(decision.present_ratios), point.untuned, at);
  if (decision.plan == point.untuned)
    return fmt::format("{}; a row stays up to {:.2f} in each job", slower, staying_ratio);
  return fmt::format("{}; {} takes {}", slower, decision.plan, ratios_text(decision.ratios));
}

// Removes the rows that serve a point with a plan other than the decided one. Repeats until there
// are none, because a removed row may uncover another.
std::vector<TableRow> staying(std::vector<TableRow> rows, const std::vector<TunedPoint>& points,
                              std::vector<std::string>& changes) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const TunedPoint& point : points) {
      const auto row = serving(rows, point);
      if (row == rows.end() || plan_of(*row) == point.decision.plan) continue;
      changes.push_back(fmt::format("- {}, line {} of the file ({})", words_for(*row), row->line,
                                    why_gone(*row, point)));
      rows.erase(row);
      changed = true;
    }
  }
  return rows;
}

// Returns the size class of the point, in which one choice serves all sizes. Vectors with less than
// one element for each rank belong to it as well.
Range reach_of(const TunedPoint& point) {
  if (point.operation == schedule::Operation::barrier) return {};

  Range reach = selection::sizes_of_class(selection::size_class_of(point.bytes));
  if (point.bytes <= bench_element * point.ranks) reach.first = 0;
  return reach;
}

struct Coming {
  TableRow row;
  std::string untuned;
  std::vector<double> ratios;
};

// Merges the rows of consecutive points with the same plan.
void add(std::vector<Coming>& coming, const TunedPoint& point) {
  const selection::Forced plan = selection::parse_plan(point.operation, point.decision.plan);
  const Range reach = reach_of(point);
  if (!coming.empty()) {
    Coming& last = coming.back();
    const bool follows =
        last.row.operation == point.operation && last.row.ranks.first == point.ranks &&
        plan_of(last.row) == point.decision.plan && last.row.bytes.last + 1 == reach.first;
    if (follows) {
      last.row.bytes.last = reach.last;
      last.ratios.insert(last.ratios.end(), point.decision.ratios.begin(),
                         point.decision.ratios.end());
      return;
    }
  }
  coming.push_back(
      {{point.operation, {point.ranks, point.ranks}, reach, plan.generator, plan.settings, 0},
       point.untuned,
       point.decision.ratios});
}

}  // namespace

std::string ranks_text(const Range& range) {
  if (is_all(range)) return "any number of processes";
  if (range.first == range.last) return fmt::format("{} processes", range.first);
  return range.last == unlimited ? fmt::format("{} and more processes", range.first)
                                 : fmt::format("{} to {} processes", range.first, range.last);
}

std::string ratios_text(const std::vector<double>& ratios) {
  std::string text;
  for (const double ratio : ratios)
    text += fmt::format("{}{:.2f}", text.empty() ? "" : " and ", ratio);
  return text;
}

std::string toml_of(const TableRow& row) {
  return fmt::format("\n[[plan]]\noperation = \"{}\"\n", schedule::to_text(row.operation)) +
         toml_of_rest(row.ranks, row.bytes, plan_of(row), row.origin);
}

std::string toml_of(const selection::MpiRow& row) {
  return fmt::format("\n[[plan]]\nmpi = \"{}\"\noperation = \"{}\"\n{}", row.mpi, row.operation,
                     row.mpi_combines ? "operator = \"mpi\"\n" : "") +
         toml_of_rest(row.ranks, row.bytes, row.native ? "native" : "tutti", row.origin);
}

bool has_row_for(const selection::Table& present, const TunedPoint& point) {
  const std::vector<TableRow> rows(present.rows().begin(), present.rows().end());
  return serving(rows, point) != rows.end();
}

TunedTable tuned_table(const selection::Table& present, const std::vector<TunedPoint>& points,
                       const selection::RowOrigin& now) {
  TunedTable table;
  const std::vector<TableRow> stay =
      staying({present.rows().begin(), present.rows().end()}, points, table.changes);
  std::vector<Coming> coming;
  for (const TunedPoint& point : points) {
    const bool wanted = point.decision.plan != point.untuned && serving(stay, point) == stay.end();
    if (wanted) add(coming, point);
  }
  for (Coming& row : coming) {
    row.row.origin = now;
    if (!row.ratios.empty())
      row.row.origin.ratio = *std::max_element(row.ratios.begin(), row.ratios.end());
    table.text += toml_of(row.row);
    const std::string ratios =
        row.ratios.empty()
            ? "as it was"
            : fmt::format("{} of the time of {}", ratios_text(row.ratios), row.untuned);
    table.changes.push_back(fmt::format("+ {} ({})", words_for(row.row), ratios));
  }
  for (const TableRow& row : stay) table.text += toml_of(row);
  for (const selection::MpiRow& row : present.mpi_rows()) table.text += toml_of(row);
  return table;
}

}  // namespace tutti::tools

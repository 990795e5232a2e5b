// SPDX-License-Identifier: BSD-3-Clause
// Prints the results of `tutti bench --choices`: one row for each operation, size and placement,
// and then the means.
#include "bench/choices_print.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "selection/explain.hpp"
#include "support/answer.hpp"
#include "support/host_facts.hpp"
#include "support/quiet.hpp"
#include "support/table.hpp"

namespace tutti::tools {
namespace {

bool same_plan(const ChoiceRow& row) {
  return std::all_of(row.plans.begin(), row.plans.end(),
                     [&](const auto& plan) { return plan == row.plans.front(); });
}

std::string size_of(const ChoiceReport& report, const BenchCell& cell) {
  return selection::bytes_text(static_cast<double>(extent_of(cell, report.ranks).bytes));
}

Table::Row cells_of(const ChoiceReport& report, const ChoiceRow& row, const ChoicePlace& place) {
  Table::Row cells = {row.cell.op, size_of(report, row.cell), place.placement,
                      place.figures.front().samples};
  for (const Figures& figures : place.figures) {
    cells.emplace_back(figures.minimum);
    cells.emplace_back(figures.median);
  }
  cells.insert(cells.end(), place.ratios.begin() + 1, place.ratios.end());
  cells.emplace_back(same_plan(row) ? "same plan: " + row.plans.front()
                                    : fmt::format("{}", fmt::join(row.plans, ", ")));
  return cells;
}

Table table_of(const ChoiceReport& report) {
  Table table("operation<14; bytes>8; place<8; samples>7");
  for (const std::string& name : report.names)
    table.add_columns(" " + name.substr(0, 9) + ">9.4g; median>9.4g");
  for (std::size_t i = 1; i < report.names.size(); ++i) table.add_columns(" ratio>7.3f");
  table.add_columns("  plans<0");
  for (const ChoiceRow& row : report.rows) {
    for (const ChoicePlace& place : row.placements) table.add(cells_of(report, row, place));
  }
  return table;
}

std::vector<std::string> operations_of(const ChoiceReport& report) {
  std::vector<std::string> operations;
  for (const ChoiceRow& row : report.rows) {
    if (std::find(operations.begin(), operations.end(), row.cell.op) == operations.end()) {
      operations.push_back(row.cell.op);
    }
  }
  return operations;
}

Table means_of(const ChoiceReport& report) {
  Table table("<14");
  for (std::size_t i = 1; i < report.names.size(); ++i) table.add_columns(" >7.3f");
  const auto add = [&](const std::string& name, const std::vector<double>& ratios) {
    Table::Row cells = {name};
    cells.insert(cells.end(), ratios.begin() + 1, ratios.end());
    table.add(std::move(cells));
  };
  for (const std::string& operation : operations_of(report))
    add(operation, mean_ratios(report, operation));
  add("all", mean_ratios(report));
  return table;
}

nlohmann::json place_json(const ChoicePlace& place) {
  nlohmann::json figures = nlohmann::json::array();
  for (const Figures& one : place.figures) {
    figures.push_back({{"minimum_us", one.minimum},
                       {"median_us", one.median},
                       {"p95_us", one.p95},
                       {"spread", one.spread()}});
  }
  return {{"placement", place.placement},
          {"samples", place.figures.front().samples},
          {"figures", std::move(figures)},
          {"ratios", place.ratios}};
}

nlohmann::json row_json(const ChoiceReport& report, const ChoiceRow& row) {
  nlohmann::json placements = nlohmann::json::array();
  for (const ChoicePlace& place : row.placements) placements.push_back(place_json(place));
  return {{"op", row.cell.op},
          {"bytes", extent_of(row.cell, report.ranks).bytes},
          {"block_bytes", extent_of(row.cell, report.ranks).block},
          {"verified", true},
          {"plans", row.plans},
          {"same_plan", same_plan(row)},
          {"ratios", row.ratios},
          {"placements", std::move(placements)}};
}

}  // namespace

std::string choices_table(const ChoiceReport& report) {
  std::string text = table_of(report).text();
  for (const std::string& sentence : report.left_out)
    text += fmt::format("left out: {}\n", sentence);
  text += fmt::format("\nmeans of the ratios to {}, of all placements:\n", report.names.front());
  text += means_of(report).rows_text();
  text += fmt::format(
      "{} processes; results verified; us: minimum and median of each choice, in turn in one job; "
      "a ratio is the median of pairs\n",
      report.ranks);
  if (!report.busy.empty()) text += busy_line(report.busy);
  return report.origin.empty() ? text : text + fmt::format("tuned by {}\n", report.origin);
}

std::string choices_json(const ChoiceReport& report) {
  const HostFacts host = host_facts();
  nlohmann::json results = nlohmann::json::array(), operations = nlohmann::json::object();
  for (const ChoiceRow& row : report.rows) results.push_back(row_json(report, row));
  for (const std::string& operation : operations_of(report))
    operations[operation] = mean_ratios(report, operation);
  const nlohmann::json json = {{"library_version", TUTTI_VERSION},
                               {"date", host.date},
                               {"processor", host.processor},
                               {"processors", host.processors},
                               {"system", host.system},
                               {"compiler", host.compiler},
                               {"ranks", report.ranks},
                               {"choices", report.names},
                               {"tuned_by", report.origin},
                               {"left_out", report.left_out},
                               {"busy", busy_json(report.busy)},
                               {"results", std::move(results)},
                               {"operations", std::move(operations)},
                               {"geometric_mean", mean_ratios(report)}};
  return answer_text("bench", json);
}

}  // namespace tutti::tools

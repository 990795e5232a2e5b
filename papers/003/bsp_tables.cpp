// SPDX-License-Identifier: BSD-3-Clause
// Appendices D to G of paper 003: the efficiencies by its own models, beside those that it
// measured. Its errors are the tolerances.
#include <fmt/format.h>

#include <algorithm>

#include "papers/003/bsp_model.hpp"
#include "papers/common/runs.hpp"

namespace tutti::papers {
namespace bsp_tables_items {
namespace {

// Section 4.4 says so of argus.
void say_below_ten_per_cent(Result& result, const std::vector<BspCell>& cells) {
  const bool below =
      std::ranges::all_of(cells, [](const BspCell& one) { return one.efficiency < 10; });
  result.says("the efficiency is below 10 % in all experiments", below, "the lines of the table")
      .within_paper = true;
}

Result efficiencies(const Item& item) {
  Result result;
  const std::vector<BspCell> cells = bsp_cells(item.number);
  const BspProgram program = cells.front().program;
  for (const BspCell& cell : cells)
    for (const BSPModel model : {BSPModel::plain, extended_model(program)})
      add_bsp_row(result, cell, model).part = "efficiencies";
  for (const BspCell& cell : cells)
    for (const BSPModel model : {BSPModel::plain, extended_model(program)})
      add_bsp_error_row(result, cell, model);
  if (item.number == "D.2") say_below_ten_per_cent(result, cells);
  add_bsp_parameters(result, program);
  result.notes.emplace_back(
      "An efficiency is the largest of all sizes. An error is the mean over the sizes of the "
      "difference between predicted and measured times, over the longer one: no error is above "
      "100 %, though the predicted times of argus are up to four times the measured ones.");
  result.notes.emplace_back(
      "The thesis prints no measured times. For the errors they are those of the extended model, "
      "all longer or shorter by the factor that leads to the printed efficiency of the cell, so "
      "that an error of the extended model is the same for all sizes.");
  if (is_product(program))
    result.notes.emplace_back(
        "Blocks of C are sent in as many supersteps as the text of 4.2 says; see "
        "003-output-steps.");
  if (program == BspProgram::standard && cells.front().machine != "skua")
    result.notes.emplace_back(
        "The times need the rate that table 5.3 has for the other cluster, and the efficiencies "
        "the one that it has for this cluster; see 003-exchanged-rates.");
  return result;
}

constexpr Run runs[] = {
    {"003-table-D.1", efficiencies}, {"003-table-D.2", efficiencies},
    {"003-table-D.3", efficiencies}, {"003-table-E.1", efficiencies},
    {"003-table-E.2", efficiencies}, {"003-table-E.3", efficiencies},
    {"003-table-F.1", efficiencies}, {"003-table-F.2", efficiencies},
    {"003-table-F.3", efficiencies}, {"003-table-G.1", efficiencies},
    {"003-table-G.2", efficiencies}, {"003-table-G.3", efficiencies},
};

}  // namespace
}  // namespace bsp_tables_items

std::span<const Run> bsp_tables() {
  return bsp_tables_items::runs;
}

}  // namespace tutti::papers

// SPDX-License-Identifier: BSD-3-Clause
// Finds a run by the name of its item and the side that it computes.
#include "papers/common/runs.hpp"

#include <vector>

namespace tutti::papers {

std::span<const std::span<const Run>> all_runs() {
  static const std::vector<std::span<const Run>> all{
      blacs_costs(),         blacs_names(),
      blacs_pictures(),      blacs_topologies(),
      blacs_sums(),          icc_costs(),
      pvm_groups(),          exchange_charts(),
      exchange_times(),      exchange_implementations(),
      exchange_paths(),      bsp_probe(),
      bsp_subsequences(),    bsp_libraries(),
      blacs_measured(),      pvm_measured(),
      icc_measured(),        exchange_measured(),
      blacs_statements(),    exchange_plots(),
      exchange_statements(), bsp_applications(),
      bsp_tables(),          bsp_figures(),
      bsp_statements(),      icc_statements(),
      exchange_messages(),   blacs_ids(),
      pvm_answers(),         bsp_speedups(),
      icc_rivals(),          pvm_paragon(),
      blacs_relations(),     bsp_relations(),
      bsp_communication(),   exchange_beyond(),
      blacs_rings()};
  return all;
}

const Run* run_of(std::string_view item, Side side) {
  for (const std::span<const Run> runs : all_runs()) {
    for (const Run& run : runs) {
      if (run.item == item && run.side == side) return &run;
    }
  }
  return nullptr;
}

}  // namespace tutti::papers

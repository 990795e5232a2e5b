// SPDX-License-Identifier: BSD-3-Clause
// Draws the calls that were made again over their sizes (report.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bench/curve.hpp"
#include "verdict/report.hpp"

namespace tutti::tools {
// Calls without data have no place on the axis.
std::vector<draw::Plot> verdict_curves(const MpiRecord& record, const Verdict& verdict) {
  std::vector<ComparedCalls> calls = verdict.compared;
  std::ranges::sort(calls, {}, [](const ComparedCalls& one) { return one.calls.bytes; });
  std::map<std::string, std::pair<draw::Curve, draw::Curve>> by_kind;
  for (const ComparedCalls& one : calls) {
    if (one.calls.bytes < 1) continue;
    const std::string kind = fmt::format("{} of {} ranks{}", one.calls.operation, one.calls.members,
                                         one.calls.mpi_operator ? ", operator of the MPI" : "");
    auto& [ours, theirs] = by_kind[kind];
    ours.name = "tutti";
    theirs.name = record.mpi;
    add_figures(ours, one.calls.bytes, one.ours);
    add_figures(theirs, one.calls.bytes, one.theirs);
  }
  std::vector<draw::Plot> plots;
  for (auto& [kind, curves] : by_kind) {
    plots.push_back({kind + ", made again: medians and quartiles",
                     {{"bytes of a call", draw::Unit::bytes}, {"time", draw::Unit::microseconds}},
                     {std::move(curves.first), std::move(curves.second)}});
  }
  return plots;
}

}  // namespace tutti::tools

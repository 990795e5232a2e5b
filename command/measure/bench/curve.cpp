// SPDX-License-Identifier: BSD-3-Clause
// Sorts the figures of a bench by operation, library and placement.
#include "bench/curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tutti::tools {
namespace {

using draw::Curve;

// The curves of an operation in one placement.
struct PlacementCurves {
  Curve ours, predicted, theirs;
};

PlacementCurves curves_in(const BenchReport& report, const std::string& operation,
                          const std::string& placement) {
  PlacementCurves found{
      {"tutti, " + placement, {}},
      {"tutti, " + placement + ", as the model has it", {}, Curve::Kind::computed},
      {report.plan.against + ", " + placement, {}}};
  for (const CellRow& row : report.rows) {
    if (row.cell.op != operation) continue;
    const auto bytes = static_cast<double>(extent_of(row.cell, report.plan.ranks).bytes);
    for (const PlacementRow& place : row.placements) {
      if (place.placement != placement) continue;
      add_figures(found.ours, bytes, place.ours);
      if (place.predicted) found.predicted.points.push_back({bytes, *place.predicted});
      if (place.theirs) add_figures(found.theirs, bytes, *place.theirs);
    }
  }
  return found;
}

// The placements of an operation, in the order in which they were met.
std::vector<std::string> placements_of(const BenchReport& report, const std::string& operation) {
  std::vector<std::string> found;
  for (const CellRow& row : report.rows) {
    for (const PlacementRow& place : row.placements)
      if (row.cell.op == operation &&
          std::find(found.begin(), found.end(), place.placement) == found.end())
        found.push_back(place.placement);
  }
  return found;
}

draw::Plot plot_of(const BenchReport& report, const std::string& operation) {
  draw::Plot plot{
      fmt::format("{} of {} processes, measured: medians and quartiles{}", operation,
                  report.plan.ranks, report.busy.empty() ? "" : ", on a busy machine"),
      {{"bytes of the whole vector", draw::Unit::bytes}, {"time", draw::Unit::microseconds}},
      {}};
  for (const std::string& placement : placements_of(report, operation)) {
    PlacementCurves found = curves_in(report, operation, placement);
    for (Curve* curve : {&found.ours, &found.predicted, &found.theirs})
      if (!curve->points.empty()) plot.curves.push_back(std::move(*curve));
  }
  return plot;
}

}  // namespace

void add_figures(Curve& curve, double bytes, const Figures& figures) {
  curve.points.push_back({bytes, figures.median});
  if (figures.samples > 1) curve.band.push_back({bytes, figures.lower, figures.upper});
}

std::vector<draw::Plot> bench_curves(const BenchReport& report) {
  std::map<std::string, int> sizes;
  std::vector<draw::Plot> plots;
  for (const CellRow& row : report.rows)
    if (++sizes[row.cell.op] == 2) plots.push_back(plot_of(report, row.cell.op));
  return plots;
}

}  // namespace tutti::tools

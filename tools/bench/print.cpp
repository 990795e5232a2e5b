// SPDX-License-Identifier: BSD-3-Clause
// A row per cell and placement.
#include "bench/print.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "support/host_facts.hpp"
#include "support/quiet.hpp"

namespace tutti::tools {
namespace {

// Three significant digits and a point where it says something.
std::string time_text(double us) {
  return us < 10    ? fmt::format("{:.3f}", us)
         : us < 100 ? fmt::format("{:.2f}", us)
                    : fmt::format("{:.0f}", us);
}

std::string optional_time(const std::optional<double>& us) {
  return us ? time_text(*us) : "-";
}

std::string ratio_text(double ratio) {
  return ratio < 0.1 ? fmt::format("{:.1g}", ratio) : fmt::format("{:.2f}", ratio);
}

std::string table_line(const CellRow& row, const PlacementRow& place, const BenchPlan& plan) {
  const bool compared = !plan.against.empty();
  const Extent extent = extent_of(row.cell, plan.ranks);
  std::string line =
      fmt::format("{:<14} {:>7} {:>7} {:<8} {:>7} {:>9} {:>9} {:>9} {:>9}", row.cell.op,
                  size_text(extent.bytes), size_text(extent.block), place.placement,
                  place.ours.samples, time_text(place.ours.minimum), time_text(place.ours.median),
                  time_text(place.ours.p95), optional_time(place.predicted));
  if (compared) {
    const auto ratio = place.ratio();
    line += fmt::format(" {:>9} {:>6}", place.theirs ? time_text(place.theirs->median) : "-",
                        ratio ? ratio_text(*ratio) : "-");
  }
  return line + fmt::format("  {}{}{}\n", row.algorithm, row.verified ? "" : "  WRONG",
                            place.ours.is_unsteady() ? "  unsteady" : "");
}

nlohmann::json figures_json(const Figures& figures) {
  return {{"samples", figures.samples},
          {"minimum_us", figures.minimum},
          {"median_us", figures.median},
          {"p95_us", figures.p95},
          {"spread", figures.spread}};
}

nlohmann::json placement_json(const PlacementRow& place) {
  nlohmann::json json = figures_json(place.ours);
  json["placement"] = place.placement;
  json["predicted_us"] = place.predicted ? nlohmann::json(*place.predicted) : nlohmann::json();
  if (place.theirs) {
    json["against"] = figures_json(*place.theirs);
    json["ratio"] = *place.ratio();
  }
  return json;
}

nlohmann::json row_json(const CellRow& row, int ranks) {
  const Extent extent = extent_of(row.cell, ranks);
  nlohmann::json placements = nlohmann::json::array();
  for (const PlacementRow& place : row.placements) placements.push_back(placement_json(place));
  return {{"op", row.cell.op},           {"bytes", extent.bytes},
          {"block_bytes", extent.block}, {"verified", row.verified},
          {"algorithm", row.algorithm},  {"placements", std::move(placements)}};
}

}  // namespace

std::string bench_table(const BenchReport& report) {
  const bool compared = !report.plan.against.empty();
  std::string text =
      fmt::format("{:<14} {:>7} {:>7} {:<8} {:>7} {:>9} {:>9} {:>9} {:>9}", "operation", "bytes",
                  "block", "place", "samples", "min us", "median us", "p95 us", "model us");
  if (compared) text += fmt::format(" {:>9} {:>6}", report.plan.against, "ratio");
  text += "  algorithm\n";
  for (const CellRow& row : report.rows) {
    for (const PlacementRow& place : row.placements) text += table_line(row, place, report.plan);
  }
  for (const std::string& sentence : report.left_out)
    text += fmt::format("left out: {}\n", sentence);
  text += fmt::format("{} processes; results verified; model: profile {} ({})\n", report.plan.ranks,
                      report.profile.name, report.profile.about);
  if (!report.busy.empty()) text += busy_line(report.busy);
  if (compared)
    text += fmt::format("ratio: our median over that of {}; samples taken in turn\n",
                        report.plan.against);
  return text;
}

std::string bench_json(const BenchReport& report) {
  const HostFacts host = host_facts();
  nlohmann::json results = nlohmann::json::array();
  for (const CellRow& row : report.rows) results.push_back(row_json(row, report.plan.ranks));
  const nlohmann::json json = {{"version", TUTTI_VERSION},       {"date", host.date},
                               {"processor", host.processor},    {"processors", host.processors},
                               {"system", host.system},          {"compiler", host.compiler},
                               {"ranks", report.plan.ranks},     {"against", report.plan.against},
                               {"profile", report.profile.name}, {"left_out", report.left_out},
                               {"busy", busy_json(report.busy)}, {"results", std::move(results)}};
  return json.dump(2) + "\n";
}

std::string bench_csv(const BenchReport& report) {
  std::string text =
      "op,bytes,block_bytes,ranks,algorithm,verified,placement,samples,min_us,median_us,p95_us,"
      "model_us,against,against_samples,against_min_us,against_median_us,against_p95_us,ratio\n";
  for (const CellRow& row : report.rows) {
    for (const PlacementRow& place : row.placements) {
      const Figures& f = place.ours;
      const Extent extent = extent_of(row.cell, report.plan.ranks);
      text += fmt::format("{},{},{},{},\"{}\",{},{},{},{:.4f},{:.4f},{:.4f},{}", row.cell.op,
                          extent.bytes, extent.block, report.plan.ranks, row.algorithm,
                          row.verified, place.placement, f.samples, f.minimum, f.median, f.p95,
                          place.predicted ? fmt::format("{:.4f}", *place.predicted) : "");
      if (place.theirs) {
        const Figures& t = *place.theirs;
        text += fmt::format(",{},{},{:.4f},{:.4f},{:.4f},{:.3f}\n", report.plan.against, t.samples,
                            t.minimum, t.median, t.p95, *place.ratio());
      } else {
        text += ",,,,,,\n";
      }
    }
  }
  return text;
}

}  // namespace tutti::tools

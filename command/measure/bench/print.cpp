// SPDX-License-Identifier: BSD-3-Clause
// Prints the results of `tutti bench`: one row for each cell and placement.
#include "bench/print.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "support/answer.hpp"
#include "support/host_facts.hpp"
#include "support/quiet.hpp"
#include "support/table.hpp"

namespace tutti::tools {
namespace {

// Writes a time with three significant digits and, below 100 us, a decimal point.
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

Table table_of(const BenchReport& report) {
  const bool compared = !report.plan.against.empty();
  Table table(
      "operation<14; bytes>7; block>7; place<8; samples>7; min us>9; median us>9; p95 us>9; "
      "model us>9");
  if (compared) table.add_columns(" " + report.plan.against + ">9; ratio>6");
  table.add_columns("  algorithm<0");
  for (const CellRow& row : report.rows) {
    const Extent extent = extent_of(row.cell, report.plan.ranks);
    for (const PlacementRow& place : row.placements) {
      const Figures& ours = place.ours;
      Table::Row cells = {row.cell.op,
                          size_text(extent.bytes),
                          size_text(extent.block),
                          place.placement,
                          ours.samples,
                          time_text(ours.minimum),
                          time_text(ours.median),
                          time_text(ours.p95),
                          optional_time(place.predicted)};
      if (compared) {
        const auto ratio = place.ratio();
        cells.emplace_back(place.theirs ? time_text(place.theirs->median) : "-");
        cells.emplace_back(ratio ? ratio_text(*ratio) : "-");
      }
      cells.emplace_back(row.algorithm + (row.verified ? "" : "  WRONG") +
                         (ours.is_unsteady() ? "  unsteady" : ""));
      table.add(std::move(cells));
    }
  }
  return table;
}

nlohmann::json figures_json(const Figures& figures) {
  return {{"samples", figures.samples},
          {"minimum_us", figures.minimum},
          {"median_us", figures.median},
          {"p95_us", figures.p95},
          {"spread", figures.spread()}};
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
  std::string text = table_of(report).text();
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
  const nlohmann::json json = {{"library_version", TUTTI_VERSION},
                               {"date", host.date},
                               {"processor", host.processor},
                               {"processors", host.processors},
                               {"system", host.system},
                               {"compiler", host.compiler},
                               {"ranks", report.plan.ranks},
                               {"against", report.plan.against},
                               {"profile", report.profile.name},
                               {"left_out", report.left_out},
                               {"busy", busy_json(report.busy)},
                               {"results", std::move(results)}};
  return answer_text("bench", json);
}

std::string bench_csv(const BenchReport& report) {
  Table table(
      "op;bytes;block_bytes;ranks;algorithm;verified;placement;samples;min_us>.4f;median_us>.4f;"
      "p95_us>.4f;model_us>.4f;against;against_samples;against_min_us>.4f;against_median_us>.4f;"
      "against_p95_us>.4f;ratio>.3f");
  for (const CellRow& row : report.rows) {
    for (const PlacementRow& place : row.placements) {
      const Figures& f = place.ours;
      const Extent extent = extent_of(row.cell, report.plan.ranks);
      Table::Row cells = {
          row.cell.op,     extent.bytes,
          extent.block,    report.plan.ranks,
          row.algorithm,   row.verified,
          place.placement, f.samples,
          f.minimum,       f.median,
          f.p95,           place.predicted ? nlohmann::json(*place.predicted) : nlohmann::json()};
      if (place.theirs) {
        const Figures& t = *place.theirs;
        cells.insert(cells.end(),
                     {report.plan.against, t.samples, t.minimum, t.median, t.p95, *place.ratio()});
      } else {
        cells.insert(cells.end(), 6, "");
      }
      table.add(std::move(cells));
    }
  }
  return table.csv();
}

}  // namespace tutti::tools

// SPDX-License-Identifier: BSD-3-Clause
// Makes fits and writes them into a profile. The numbers without a placement in their name, which
// every rank uses, are those of the most frequent placement: all ranks must make the same choice,
// so a choice cannot depend on the placement.
#include "tune/profile.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "algorithms/registry.hpp"
#include "base/error.hpp"
#include "bench/summary.hpp"
#include "driver/line_time.h"
#include "machine/profile.hpp"
#include "selection/headers.hpp"
#include "selection/names.hpp"
#include "support/host_facts.hpp"

namespace tutti::tools {
namespace {

std::vector<Observation> observations_in(const Library& measured, const std::string& placement,
                                         const BenchPlan& plan) {
  std::vector<Observation> found;
  for (const auto& [cell, series] : measured) {
    const auto times = times_in(series, placement);
    const auto* const generator =
        algorithms::find(selection::operation_named(cell.op), series.algorithm);
    if (times.empty() || generator == nullptr) continue;
    const auto stated = selection::stated(*generator, series.settings.shape(plan.ranks));
    const auto bytes = static_cast<double>(extent_of(cell, plan.ranks).bytes);
    if (stated) found.push_back({stated->terms, bytes, figures_of(times).median});
  }
  return found;
}

int samples_in(const Library& measured, const std::string& placement) {
  int samples = 0;
  for (const auto& [cell, series] : measured)
    samples += static_cast<int>(times_in(series, placement).size());
  return samples;
}

// Uses only broadcasts, because their times contain no combining.
std::vector<RangeFit> ranges_of(const Library& measured, const std::string& placement,
                                const BenchPlan& plan) {
  constexpr std::int64_t inline_most = 32, short_most = 16 * 1024;
  std::vector<RangeFit> ranges = {{"inline", 0, inline_most, {}},
                                  {"short", inline_most + 1, short_most, {}},
                                  {"long", short_most + 1, INT64_MAX, {}}};
  Library broadcasts;
  for (const auto& [cell, series] : measured) {
    if (cell.op == "bcast") broadcasts[cell] = series;
  }
  for (RangeFit& range : ranges) {
    auto points = observations_in(broadcasts, placement, plan);
    std::erase_if(points, [&](const Observation& o) {
      return o.bytes < static_cast<double>(range.from) || o.bytes > static_cast<double>(range.to);
    });
    if (points.size() < 2) continue;
    const auto [least, most] =
        std::minmax_element(points.begin(), points.end(),
                            [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
    range.from = static_cast<std::int64_t>(least->bytes);
    range.to = static_cast<std::int64_t>(most->bytes);
    range.fit = fit(points);
  }
  std::erase_if(ranges, [](const RangeFit& range) { return range.fit.points < 2; });
  return ranges;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string number_text(const std::string& name, double value, const char* status,
                        const std::string& source) {
  return fmt::format("\n[{}]\nvalue = {:.6e}\nstatus = \"{}\"\nsource = {}\n", name, value, status,
                     quoted(source));
}

std::string quality(const Fit& fit) {
  if (fit.points <= 2) return "two points: no error estimate";
  return fmt::format("{} medians, relative error rms {:.0f} %, worst {:.0f} %", fit.points,
                     fit.rms * 100, fit.worst * 100);
}

// Returns the time of the kernel alone, with data in a cache. It is used if the fit finds that
// combining takes no time.
const LocalPoint& typical_combine(const LocalCosts& local) {
  return local.combine[1];
}

struct Gamma {
  double value;
  const char* status;
  std::string source;
};

Gamma gamma_of(const TuneResult& result, const PlacedFit& placed) {
  if (placed.fit.rates.gamma > 0) return {placed.fit.rates.gamma, "fitted", "the same fit"};
  const LocalPoint& point = typical_combine(result.local);
  return {point.per_byte(), "measured",
          fmt::format("the fit finds nothing, combining hides behind the arrival of the data; so: "
                      "the kernel alone, sum of doubles, {} bytes",
                      point.bytes)};
}

std::string fitted_text(const TuneResult& result, const PlacedFit& placed,
                        const std::string& suffix) {
  const std::string source =
      fmt::format("{}: {} samples of bcast and reduce by mst, least relative squares, {}",
                  placed.placement, placed.samples, quality(placed.fit));
  const Gamma gamma = gamma_of(result, placed);
  return number_text("alpha" + suffix, placed.fit.rates.alpha, "fitted", source) +
         number_text("beta" + suffix, placed.fit.rates.beta, "fitted", source) +
         number_text("gamma" + suffix, gamma.value, gamma.status, gamma.source);
}

std::string head_text(const TuneResult& result) {
  const HostFacts host = host_facts();
  std::vector<std::string> missing;
  for (const char* placement : tutti_bench_placements) {
    if (samples_in(result.measured, placement) == 0) missing.push_back(quoted(placement));
  }
  std::vector<std::string> seen;
  for (const PlacedFit& placed : result.placements) seen.push_back(quoted(placed.placement));
  int samples = 0;
  for (const auto& [cell, series] : result.measured)
    samples += static_cast<int>(series.samples.size());
  return fmt::format(
      "# Written by tutti tune. Times in microseconds, sizes in bytes; see tutti-tune(1).\nname = "
      "\"this-machine\"\n"
      "about = {}\ndate = {}\nprocessor = {}\nprocessors = {}\nsystem = {}\ncompiler = {}\nversion "
      "= \"{}\"\n"
      "ranks = {}\nsamples = {}\nplacements = [{}]\nplacements_not_seen = [{}]\n{}",
      quoted(fmt::format("measured by tutti tune on {}: {}", host.date, host.processor)),
      quoted(host.date), quoted(host.processor), host.processors, quoted(host.system),
      quoted(host.compiler), TUTTI_VERSION, result.plan.ranks, samples, fmt::join(seen, ", "),
      fmt::join(missing, ", "),
      result.busy.empty() ? "" : fmt::format("busy = {}\n", quoted(result.busy)));
}

// Writes the points of the fits, so that the fits can be repeated.
std::string points_text(const TuneResult& result) {
  std::string text = "# operation, algorithm, bytes, placement, samples, median us\npoints = [\n";
  for (const auto& [cell, series] : result.measured) {
    for (const PlacedFit& placed : result.placements) {
      const Figures figures = figures_of(times_in(series, placed.placement));
      if (figures.samples == 0) continue;
      text +=
          fmt::format("  [\"{}\", \"{}\", {}, \"{}\", {}, {:.5f}],\n", cell.op, series.algorithm,
                      cell.bytes, placed.placement, figures.samples, figures.median);
    }
  }
  return text + "]\n";
}

std::string local_text(const LocalCosts& local) {
  std::string text;
  for (const LocalPoint& point : local.copy) {
    text += number_text(fmt::format("copy_{}K", point.bytes >> 10), point.per_byte(), "measured",
                        "a byte of memcpy between two buffers in use, one process, median");
  }
  for (const LocalPoint& point : local.combine) {
    text += number_text(
        fmt::format("combine_{}K", point.bytes >> 10), point.per_byte(), "measured",
        "a byte of one operand, sum of doubles by the library's kernel, one process, median");
  }
  return text + number_text("wake", local.wake_us, "measured",
                            fmt::format("from waking a thread that sleeps on a futex to its first "
                                        "instruction, median of {}",
                                        local.wakes));
}

}  // namespace

TuneResult fit_all(BenchPlan plan, Library measured, LocalCosts local) {
  TuneResult result{std::move(plan), std::move(measured), std::move(local), {}, {}, {}};
  const auto fit_in = [&](const char* placement) {
    const auto points = observations_in(result.measured, placement, result.plan);
    if (points.size() < 4) return;
    result.placements.push_back({placement, samples_in(result.measured, placement), fit(points)});
  };
  for (const char* placement : tutti_bench_placements) fit_in(placement);
  // Samples whose processors moved are disturbed. They are used only if there are no others.
  if (result.placements.empty()) fit_in("mixed");
  if (result.placements.empty())
    base::fail(base::Status::system_error, "too few samples to fit anything; try --seconds");
  std::stable_sort(result.placements.begin(), result.placements.end(),
                   [](const PlacedFit& a, const PlacedFit& b) { return a.samples > b.samples; });
  result.ranges = ranges_of(result.measured, result.placements.front().placement, result.plan);
  return result;
}

std::string profile_text(const TuneResult& result) {
  std::string text = head_text(result) + points_text(result);
  text += fitted_text(result, result.placements.front(), "");
  text += number_text("kappa", std::numeric_limits<double>::infinity(), "assumed",
                      "no links to share; the memory bus is not in this model");
  for (const PlacedFit& placed : result.placements)
    text += fitted_text(result, placed, "_" + placed.placement);
  for (const RangeFit& range : result.ranges) {
    const std::string source =
        fmt::format("broadcasts of {} to {} bytes, {}: {}", range.from, range.to,
                    result.placements.front().placement, quality(range.fit));
    text += number_text("alpha_" + range.name, range.fit.rates.alpha, "fitted", source);
    text += number_text("beta_" + range.name, range.fit.rates.beta, "fitted", source);
  }
  return text + local_text(result.local);
}

std::string summary_text(const TuneResult& result) {
  std::string text;
  for (const PlacedFit& placed : result.placements) {
    text += fmt::format(
        "{:<8} alpha {:.3f} us, beta {:.3f} us/MB, gamma {:.3f} us/MB; {} samples, {}\n",
        placed.placement, placed.fit.rates.alpha, placed.fit.rates.beta * 1e6,
        gamma_of(result, placed).value * 1e6, placed.samples, quality(placed.fit));
  }
  for (const char* placement : tutti_bench_placements) {
    if (samples_in(result.measured, placement) == 0)
      text += fmt::format("{:<8} not seen\n", placement);
  }
  for (const RangeFit& range : result.ranges) {
    text += fmt::format("{:<8} alpha {:.3f} us, beta {:.3f} us/MB; {} to {} bytes, {}\n",
                        range.name, range.fit.rates.alpha, range.fit.rates.beta * 1e6, range.from,
                        range.to, quality(range.fit));
  }
  const LocalPoint& copy = result.local.copy[1];
  return text +
         fmt::format(
             "copy {:.1f} GB/s, combine {:.1f} GB/s at 256 KiB; waking a sleeper {:.1f} us\n",
             1e-3 / copy.per_byte(), 1e-3 / typical_combine(result.local).per_byte(),
             result.local.wake_us);
}

}  // namespace tutti::tools

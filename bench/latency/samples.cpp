// SPDX-License-Identifier: BSD-3-Clause
// Computes medians of samples with placements, and prints them as a table and as JSON.
#include "latency/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "driver/line_time.h"

namespace tutti::bench {
namespace {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

template <class Value>
std::vector<double> collect(const std::vector<Sample>& samples, const std::string& placement,
                            Value&& value) {
  std::vector<double> values;
  for (const Sample& sample : samples) {
    if (placement == "all" || sample.placement == placement) values.push_back(value(sample));
  }
  return values;
}

Summary summary_of(const std::vector<Sample>& samples, const std::string& placement) {
  const auto ratios =
      collect(samples, placement, [](const Sample& s) { return s.ours_us / s.bare_us; });
  const auto ours = collect(samples, placement, [](const Sample& s) { return s.ours_us; });
  const auto bare = collect(samples, placement, [](const Sample& s) { return s.bare_us; });
  Summary summary;
  summary.placement = placement;
  summary.samples = static_cast<int>(ratios.size());
  if (ratios.empty()) return summary;
  summary.ratio = median(ratios);
  summary.median_us = median(ours);
  summary.minimum_us = *std::min_element(ours.begin(), ours.end());
  summary.bare_us = median(bare);
  summary.bare_minimum_us = *std::min_element(bare.begin(), bare.end());
  return summary;
}

// Returns the summary whose absolute times are printed for the operation.
const Summary& most_frequent(const Result& result) {
  return result.placements.empty() ? result.all : result.placements.front();
}

std::string json_of(const Summary& summary) {
  return fmt::format(
      R"({{"placement":"{}","samples":{},"ratio":{:.3f},"median_us":{:.4f},"minimum_us":{:.4f},)"
      R"("bare_us":{:.4f},"bare_minimum_us":{:.4f}}})",
      summary.placement, summary.samples, summary.ratio, summary.median_us, summary.minimum_us,
      summary.bare_us, summary.bare_minimum_us);
}

// Leaves out pairs that another process interrupted. On a busy machine, where hardly any others
// exist, they are kept.
std::vector<Sample> undisturbed(const std::vector<Sample>& samples) {
  constexpr std::size_t enough = 20;
  std::vector<Sample> kept;
  std::copy_if(samples.begin(), samples.end(), std::back_inserter(kept),
               [](const Sample& sample) { return sample.placement != "mixed"; });
  return kept.size() >= enough ? kept : samples;
}

}  // namespace

Result summarize(const char* operation, const std::vector<Sample>& samples) {
  Result result{operation, summary_of(undisturbed(samples), "all"), {}};
  for (const char* placement : tutti_bench_placements) {
    Summary summary = summary_of(samples, placement);
    if (summary.samples > 0) result.placements.push_back(std::move(summary));
  }
  std::stable_sort(result.placements.begin(), result.placements.end(),
                   [](const Summary& a, const Summary& b) { return a.samples > b.samples; });
  return result;
}

std::string as_table(const std::vector<Result>& results) {
  std::string text =
      fmt::format("{:<10} {:<8} {:>7} {:>7} {:>10} {:>10} {:>10} {:>10}\n", "op", "place",
                  "samples", "ratio", "median us", "min us", "bare us", "bare min");
  for (const Result& result : results) {
    const auto line = [&](const Summary& s) {
      text += fmt::format("{:<10} {:<8} {:>7} {:>7.2f}", result.operation, s.placement, s.samples,
                          s.ratio);
      if (s.placement != "all") {
        text += fmt::format(" {:>10.4f} {:>10.4f} {:>10.4f} {:>10.4f}", s.median_us, s.minimum_us,
                            s.bare_us, s.bare_minimum_us);
      }
      text += '\n';
    };
    line(result.all);
    for (const Summary& summary : result.placements) line(summary);
  }
  return text;
}

std::string as_json(const std::vector<Result>& results) {
  std::string text = "{\"results\":[";
  const char* comma = "";
  for (const Result& result : results) {
    const Summary& shown = most_frequent(result);
    text += fmt::format(R"({}{{"op":"{}","ratio":{:.3f},"median_us":{:.4f},"bare_us":{:.4f},)"
                        R"("placement":"{}","placements":[)",
                        comma, result.operation, result.all.ratio, shown.median_us, shown.bare_us,
                        result.placements.empty() ? "mixed" : shown.placement);
    const char* inner = "";
    for (const Summary& summary : result.placements) {
      text += inner + json_of(summary);
      inner = ",";
    }
    text += "]}";
    comma = ",";
  }
  return text + "]}\n";
}

}  // namespace tutti::bench

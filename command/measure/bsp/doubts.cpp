// SPDX-License-Identifier: BSD-3-Clause
// Finds measured figures that cannot be true. The thresholds are wide: a figure beyond them is
// wrong, not only inexact.
#include "bsp/doubts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "support/median.hpp"

namespace tutti::tools {
namespace {

constexpr double too_slow_between = 3;     // limit of time over both neighbours' times
constexpr double too_slow_at_an_end = 10;  // limit of time over the only neighbour's time
constexpr double too_long = 10;            // limit of time over the call site's median
constexpr double too_much = 0.2;           // limit of the part of the whole time
constexpr double too_far = 5;              // limit of the factor between prediction and measurement

// Returns the seconds per operation at the sizes beside the one at `index`.
std::vector<double> neighbours(const ProbeData& data, std::size_t index) {
  const Speed& own = data.speeds[index];
  const Speed *below = nullptr, *above = nullptr;
  for (const Speed& other : data.speeds) {
    if (other.operation != own.operation) continue;
    if (other.n < own.n && (below == nullptr || other.n > below->n)) below = &other;
    if (other.n > own.n && (above == nullptr || other.n < above->n)) above = &other;
  }
  std::vector<double> found;
  for (const Speed* one : {below, above}) {
    if (one != nullptr) found.push_back(one->seconds);
  }
  return found;
}

std::optional<double> latency(const ProbeData& data, const std::string& name) {
  for (const auto& [found, seconds] : data.latencies) {
    if (found == name) return seconds;
  }
  return std::nullopt;
}

void add_latencies(std::vector<std::string>& doubts, const ProbeData& data) {
  const auto empty = latency(data, "no communication");
  for (const char* name : {"cyclic shift", "all-to-all"}) {
    const auto busy = latency(data, name);
    if (empty && busy && *busy * too_slow_between < *empty) {
      doubts.push_back(fmt::format(
          "l: a superstep after {} takes {:.3f} us, one without communication {:.3f} us", name,
          *busy * 1e6, *empty * 1e6));
    }
  }
}

}  // namespace

bool line_is_usable(const Gap& gap) {
  return gap.regression_g >= 0 && gap.regression_l >= 0;
}

bool speed_is_usable(const ProbeData& data, std::size_t index) {
  const std::vector<double> beside = neighbours(data, index);
  if (beside.empty()) return true;
  const double allowed = beside.size() == 2 ? too_slow_between : too_slow_at_an_end;
  return data.speeds[index].seconds <= allowed * *std::max_element(beside.begin(), beside.end());
}

std::vector<std::string> doubts_of(const ProbeData& data) {
  std::vector<std::string> doubts;
  if (!data.busy.empty()) doubts.push_back("busy: " + data.busy);
  for (std::size_t i = 0; i < data.speeds.size(); ++i) {
    if (speed_is_usable(data, i)) continue;
    doubts.push_back(fmt::format("f: {} of n = {} is many times slower than beside it",
                                 data.speeds[i].operation, data.speeds[i].n));
  }
  add_latencies(doubts, data);
  for (const ProbeData::Series& series : data.series) {
    const Gap gap = gap_of(series.samples);
    if (!line_is_usable(gap)) {
      doubts.push_back(fmt::format(
          "fit of {}, {}: g {:.1f} ns, l {:.3f} us; neither can be negative", series.access,
          series.pattern, gap.regression_g * 1e9, gap.regression_l * 1e6));
    }
  }
  return doubts;
}

std::vector<std::string> doubts_of(const std::vector<ProfiledStep>& steps) {
  std::map<std::string, std::vector<double>> sites;
  for (const ProfiledStep& step : steps) sites[step.site].push_back(step.cost.measured);
  double whole = 0, outside = 0;
  int count = 0;
  for (const auto& [site, times] : sites) {
    const double most = too_long * median(times);
    for (const double time : times) {
      whole += time;
      if (time <= most) continue;
      outside += time;
      ++count;
    }
  }
  if (outside <= too_much * whole) return {};
  return {
      fmt::format("{} of {} supersteps took more than {:.0f} times the median of their call site, "
                  "{:.0f} % of the time: others were at work when the profile was made",
                  count, steps.size(), too_long, 100 * outside / whole)};
}

std::string doubt_of(double predicted, double measured) {
  if (measured <= 0 || (predicted <= too_far * measured && measured <= too_far * predicted))
    return {};
  return fmt::format(
      "the prediction and what was measured are more than {:.0f} times apart: the profile and the "
      "machine's figures were not made alike, or others were at work",
      too_far);
}

}  // namespace tutti::tools

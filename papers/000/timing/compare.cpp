// SPDX-License-Identifier: BSD-3-Clause
// Compares two runs of `tutti reproduce --measure 000` on one machine.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "papers/000/timing/fit.hpp"
#include "papers/000/timing/report.hpp"

namespace tutti::papers {
namespace {

struct SeriesPair {
  const TimingSeries *now, *before;
};

int runs_at(const TimingSeries& series, const std::string& place) {
  return static_cast<int>(std::count_if(series.runs.begin(), series.runs.end(),
                                        [&](const TimingRun& run) { return run.place == place; }));
}

// The distance of the processors that is the most frequent one in both. Empty if there is none, and
// each run is taken at its own.
std::string common_place(const SeriesPair& pair) {
  std::string best;
  int most = 0;
  for (const TimingRun& run : pair.now->runs) {
    const int both = std::min(runs_at(*pair.now, run.place), runs_at(*pair.before, run.place));
    if (run.place != "mixed" && both > most) {
      most = both;
      best = run.place;
    }
  }
  return best;
}

std::string words_of_series(const TimingSeries& series) {
  if (series.library.empty()) return series.program;
  return fmt::format("{} {}{}, p = {}", title_of_library(series.library), series.program,
                     series.top.empty() ? "" : fmt::format(" '{}'", series.top), series.p);
}

bool differ(double ratio) {
  return std::max(ratio, 1 / ratio) > 1 + alike;
}

void compare_slopes(TimingAgreement& found, const SeriesPair& pair) {
  const std::string place = common_place(pair);
  const double ratio = fit_of(*pair.now, place).beta / fit_of(*pair.before, place).beta;
  ++found.slopes;
  // A slope that has changed its sign is a negative ratio.
  if (ratio > 0 && !differ(ratio))
    ++found.within;
  else
    found.exceptions.push_back(fmt::format("{}: the slope is {:.2f} times that of the other run",
                                           words_of_series(*pair.now), ratio));
}

double sum_of(const TimingSeries& series, const std::string& place) {
  double sum = 0;
  for (const TimingPoint& point : medians(series, place)) sum += point.us;
  return sum;
}

// How much longer than `b` the topology `a` takes, in each of the two runs.
void compare_order(TimingAgreement& found, const SeriesPair& a, const SeriesPair& b) {
  const std::string at_a = common_place(a), at_b = common_place(b);
  const double now = sum_of(*a.now, at_a) / sum_of(*b.now, at_b);
  const double before = sum_of(*a.before, at_a) / sum_of(*b.before, at_b);
  if (!differ(now) || !differ(before)) return;
  ++found.pairs;
  if ((now > 1) == (before > 1))
    ++found.same_order;
  else
    found.exceptions.push_back(fmt::format("{} and {} have another order", words_of_series(*a.now),
                                           words_of_series(*b.now)));
}

}  // namespace

TimingAgreement compare_timings(const Timings& now, const Timings& before) {
  TimingAgreement found;
  std::map<std::pair<std::string, int>, std::vector<SeriesPair>> topologies;
  for (const TimingSeries& series : now.series) {
    const TimingSeries* other =
        find_series(before, series.program, series.library, series.top, series.p);
    if (series.runs.empty() || other == nullptr || other->runs.empty()) continue;
    const SeriesPair pair{&series, other};
    compare_slopes(found, pair);
    if (series.library == "blacs" && !series.top.empty())
      topologies[{series.program, series.p}].push_back(pair);
  }
  for (const auto& [key, pairs] : topologies)
    for (std::size_t i = 0; i < pairs.size(); ++i)
      for (std::size_t j = i + 1; j < pairs.size(); ++j) compare_order(found, pairs[i], pairs[j]);
  return found;
}

}  // namespace tutti::papers

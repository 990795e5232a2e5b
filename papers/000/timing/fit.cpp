// SPDX-License-Identifier: BSD-3-Clause
// Computes lines and errors of measured points.
#include "papers/000/timing/fit.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/error.hpp"
#include "support/median.hpp"

namespace tutti::papers {
namespace {

std::vector<TimingPoint> medians_over(const std::vector<const TimingRun*>& runs) {
  std::map<double, std::pair<std::vector<double>, std::vector<double>>> found;
  for (const TimingRun* run : runs) {
    for (const TimingPoint& point : run->points) {
      found[point.n].first.push_back(point.us);
      found[point.n].second.push_back(point.source);
    }
  }
  std::vector<TimingPoint> points;
  for (const auto& [n, values] : found)
    points.push_back({n, tools::median(values.first), tools::median(values.second)});
  return points;
}

// The runs whose loops have the same number of calls.
std::vector<const TimingRun*> repeated_runs(const TimingSeries& series, const std::string& place) {
  std::vector<const TimingRun*> runs = runs_of(series, TimingKind::survey, place);
  for (const TimingRun* run : runs_of(series, TimingKind::again, place)) runs.push_back(run);
  return runs;
}

}  // namespace

Line least_squares(const std::vector<TimingPoint>& points) {
  const auto count = static_cast<double>(points.size());
  double n = 0, us = 0;
  for (const TimingPoint& point : points) {
    n += point.n / count;
    us += point.us / count;
  }
  double squares = 0, products = 0;
  for (const TimingPoint& point : points) {
    squares += (point.n - n) * (point.n - n);
    products += (point.n - n) * (point.us - us);
  }
  if (squares <= 0)
    base::fail(base::Status::invalid_argument, "a line needs points of two lengths");
  const double beta = products / squares;
  return {us - beta * n, beta};
}

std::string main_place(const TimingSeries& series) {
  std::map<std::string, int> counts;
  for (const TimingRun& run : series.runs)
    if (run.place != "mixed") ++counts[run.place];
  const auto most = std::max_element(counts.begin(), counts.end(),
                                     [](auto& a, auto& b) { return a.second < b.second; });
  return most == counts.end() ? "mixed" : most->first;
}

std::vector<const TimingRun*> runs_of(const TimingSeries& series, TimingKind kind,
                                      const std::string& place) {
  const std::string wanted = place.empty() ? main_place(series) : place;
  std::vector<const TimingRun*> all, there;
  for (const TimingRun& run : series.runs) {
    if (run.kind != kind) continue;
    all.push_back(&run);
    if (run.place == wanted) there.push_back(&run);
  }
  return there.empty() ? all : there;
}

std::vector<TimingPoint> medians(const TimingSeries& series, const std::string& place) {
  return medians_over(repeated_runs(series, place));
}

std::vector<TimingPoint> medians_of(const TimingSeries& series, TimingKind kind) {
  return medians_over(runs_of(series, kind));
}

Line fit_of(const TimingSeries& series, const std::string& place) {
  return least_squares(medians(series, place));
}

Line small_fit_of(const TimingSeries& series) {
  return least_squares(medians_of(series, TimingKind::small));
}

std::optional<double> relative_error(const TimingSeries& series) {
  std::map<double, std::vector<double>> values;
  for (const TimingRun* run : repeated_runs(series, ""))
    for (const TimingPoint& point : run->points)
      if (point.n > 0) values[point.n].push_back(point.us);
  std::optional<double> largest;
  for (const auto& [n, times] : values) {
    if (times.size() < 2) continue;
    const auto [least, most] = std::minmax_element(times.begin(), times.end());
    const double average =
        std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
    largest = std::max(largest.value_or(0), 100 * (*most - *least) / average);
  }
  return largest;
}

const TimingSeries* best_topology(const Timings& timings, const std::string& program,
                                  const std::string& library, int p) {
  const TimingSeries* best = nullptr;
  double least = 0;
  for (const TimingSeries& series : timings.series) {
    if (series.program != program || series.library != library || series.p != p) continue;
    if (series.top == " " || series.top == "p" || series.runs.empty()) continue;
    double sum = 0;
    for (const TimingPoint& point : medians_of(series, TimingKind::single)) sum += point.us;
    if (best == nullptr || sum < least) {
      best = &series;
      least = sum;
    }
  }
  return best;
}

}  // namespace tutti::papers

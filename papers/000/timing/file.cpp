// SPDX-License-Identifier: BSD-3-Clause
// Keeps measured times as JSON. A point is [doubles, us] or [doubles, us, us of the source].
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "papers/000/timing/timings.hpp"
#include "papers/common/measured.hpp"

namespace tutti::papers {
namespace {

constexpr std::pair<TimingKind, const char*> kind_names[] = {{TimingKind::survey, "survey"},
                                                             {TimingKind::again, "again"},
                                                             {TimingKind::single, "single"},
                                                             {TimingKind::small, "small"}};

const char* name_of(TimingKind kind) {
  for (const auto& [one, name] : kind_names)
    if (one == kind) return name;
  return "";
}

TimingKind kind_of(const std::string& name) {
  for (const auto& [kind, one] : kind_names)
    if (one == name) return kind;
  base::fail(base::Status::invalid_argument, "'{}' is no kind of run", name);
}

// Digits below a tenth of a nanosecond mean nothing and make files long.
double rounded(double us) {
  constexpr double per_us = 1e4;
  return std::round(us * per_us) / per_us;
}

nlohmann::json json_of(const TimingRun& run) {
  nlohmann::json points = nlohmann::json::array();
  for (const TimingPoint& point : run.points) {
    nlohmann::json one{point.n, rounded(point.us)};
    if (point.source > 0) one.push_back(rounded(point.source));
    points.push_back(one);
  }
  return {{"kind", name_of(run.kind)}, {"place", run.place}, {"points", points}};
}

TimingRun run_from(const nlohmann::json& json) {
  TimingRun run{kind_of(json.at("kind")), json.at("place"), {}};
  for (const nlohmann::json& one : json.at("points"))
    run.points.push_back({one.at(0), one.at(1), one.size() > 2 ? one.at(2).get<double>() : 0});
  if (run.points.empty()) base::fail(base::Status::invalid_argument, "a run has no points");
  return run;
}

bool is_survey(const TimingRun& run) {
  return run.kind == TimingKind::survey;
}

TimingSeries series_from(const nlohmann::json& json) {
  TimingSeries series{json.at("program"), json.at("library"), json.at("top"), json.at("p"), {}};
  for (const nlohmann::json& run : json.at("runs")) series.runs.push_back(run_from(run));
  if (series.p < (series.library.empty() ? 1 : 2))
    base::fail(base::Status::invalid_argument, "a series has {} processes", series.p);
  if (std::ranges::none_of(series.runs, is_survey))
    base::fail(base::Status::invalid_argument, "a series has no run of the kind survey");
  return series;
}

Timings timings_of(const nlohmann::json& json) {
  Timings timings{json.at("machine"), json.at("plan"), json.at("reps"), {}};
  if (timings.reps < 1)
    base::fail(base::Status::invalid_argument, "loops have {} calls", timings.reps);
  for (const nlohmann::json& one : json.at("series")) timings.series.push_back(series_from(one));
  return timings;
}

}  // namespace

nlohmann::json json_of(const Timings& timings) {
  nlohmann::json all = nlohmann::json::array();
  for (const TimingSeries& series : timings.series) {
    nlohmann::json runs = nlohmann::json::array();
    for (const TimingRun& run : series.runs) runs.push_back(json_of(run));
    all.push_back({{"program", series.program},
                   {"library", series.library},
                   {"top", series.top},
                   {"p", series.p},
                   {"runs", runs}});
  }
  return {{"paper", "000"},
          {"machine", timings.machine},
          {"plan", timings.plan},
          {"reps", timings.reps},
          {"series", all}};
}

Timings timings_from(const std::string& path) {
  const nlohmann::json json = measured_from(path, "000");
  try {
    return timings_of(json);
  } catch (const nlohmann::json::exception& error) {
    refuse_measured(path, "000", error.what());
  }
}

void keep_timings(const Timings& timings, const std::string& path) {
  keep_measured(json_of(timings), path);
}

const TimingSeries* find_series(const Timings& timings, const std::string& program,
                                const std::string& library, const std::string& top, int p) {
  for (const TimingSeries& series : timings.series)
    if (series.program == program && series.library == library && series.top == top &&
        series.p == p)
      return &series;
  return nullptr;
}

std::vector<int> processes_in(const Timings& timings) {
  std::vector<int> found;
  for (const TimingSeries& series : timings.series)
    if (series.p > 1 && (found.empty() || found.back() != series.p)) found.push_back(series.p);
  return found;
}

}  // namespace tutti::papers

// SPDX-License-Identifier: BSD-3-Clause
// The figures of paper 000 for this machine, with the marks of the paper: circles are loops of
// several calls, and crosses are loops of one call.
#include <fmt/format.h>

#include "papers/000/timing/fit.hpp"
#include "papers/000/timing/model.hpp"
#include "papers/000/timing/report.hpp"

namespace tutti::papers {
namespace {

using draw::Curve;
using CurveKind = draw::Curve::Kind;

draw::Axes time_axes() {
  return linear_axes("doubles", "us");
}

std::vector<draw::Point> places_of(const std::vector<TimingPoint>& points, Whose whose) {
  std::vector<draw::Point> all;
  for (const TimingPoint& point : points)
    all.push_back({point.n, whose == Whose::source ? point.source : point.us});
  return all;
}

// All points of some runs, whatever the distance of the processors was.
Curve points_of(const TimingSeries& series, std::string name,
                std::initializer_list<TimingKind> wanted, CurveKind kind) {
  Curve curve{std::move(name), {}, kind};
  for (const TimingRun& run : series.runs)
    for (const TimingKind one : wanted)
      if (run.kind == one)
        for (const draw::Point& point : places_of(run.points, Whose::longest))
          curve.points.push_back(point);
  return curve;
}

Curve line_curve(std::string name, const Line& line, double last, CurveKind kind) {
  Curve curve{std::move(name), {}, kind};
  for (const double n : {0.0, last})
    if (line.at(n) >= 0) curve.points.push_back({n, line.at(n)});
  if (line.alpha < 0 && line.beta > 0)
    curve.points.insert(curve.points.begin(), {-line.alpha / line.beta, 0});
  return curve;
}

std::string curve_name(const TimingSeries& series) {
  const std::string library = title_of_library(series.library);
  if (series.top.empty() || series.top == "p") return library;
  return fmt::format("{}, TOP {}", library, series.top == " " ? "blank" : series.top);
}

double last_of(const TimingSeries& series) {
  return series.runs.front().points.back().n;
}

const TimingSeries* measured_series(const Timings& timings, const std::string& program,
                                    const std::string& library, const std::string& top, int p) {
  const TimingSeries* found = find_series(timings, program, library, top, p);
  return found == nullptr || found->runs.empty() ? nullptr : found;
}

Chart message_chart(const Timings& timings, const char* program, const char* figures) {
  const std::string name = program;
  Chart chart{
      name == "Tc" ? "blacs-timing-tc" : "blacs-timing-ts",
      fmt::format("{} between two processes, as figures {}", name == "Tc" ? "T_c" : "T_s", figures),
      time_axes(),
      {}};
  for (const char* library : {"blacs", "nx", "openmpi", "mpich"}) {
    const TimingSeries* series = measured_series(timings, program, library, "", 2);
    if (series == nullptr) continue;
    chart.curves.push_back(points_of(*series, curve_name(*series),
                                     {TimingKind::survey, TimingKind::again}, CurveKind::circles));
    chart.curves.push_back(
        line_curve("least squares", fit_of(*series), last_of(*series), CurveKind::fit));
  }
  return chart;
}

// The libraries' own operations, the best topology and some others.
Chart survey_chart(const Timings& timings, const char* program, const char* word,
                   const char* figures, int p) {
  Chart chart{fmt::format("blacs-timing-{}-{}", word, p),
              fmt::format("{}, p = {}, as figures {}",
                          word == std::string("sum") ? "Sums" : "Broadcasts", p, figures),
              time_axes(),
              {}};
  const TimingSeries* best = best_topology(timings, program, "blacs", p);
  std::vector<const TimingSeries*> found = {best};
  for (const char* library : {"nx", "icc", "openmpi", "mpich"})
    found.push_back(measured_series(timings, program, library, "p", p));
  for (const char* top : {"H", "1", "I", "M3", " "}) {
    const TimingSeries* series = measured_series(timings, program, "blacs", top, p);
    if (series != best && found.size() < 9) found.push_back(series);
  }
  for (const TimingSeries* series : found)
    if (series != nullptr)
      chart.curves.push_back(
          {curve_name(*series), places_of(medians(*series), Whose::longest), CurveKind::plain});
  return chart;
}

void add_prediction(Chart& chart, const Timings& timings, const TimingSeries& series) {
  const BlacsMachine machine = measured_machine(timings);
  const std::optional<TopologyTime> time = time_of_series(series);
  if (!time) return;  // such as sums by rings, which the paper does not predict
  const double last = last_of(series);
  const bool pipelines = time->first != time->next;
  chart.curves.push_back(
      {curve_name(series), places_of(medians(series), Whose::longest), CurveKind::circles});
  chart.curves.push_back({"one call",
                          places_of(medians_of(series, TimingKind::single), Whose::longest),
                          CurveKind::crosses});
  chart.curves.push_back(line_curve("predicted", average_of(*time, timings.reps, machine), last,
                                    pipelines ? CurveKind::fit : CurveKind::computed));
  if (pipelines)
    chart.curves.push_back(line_curve("predicted, one call", predicted(time->first, machine), last,
                                      CurveKind::computed));
  if (series.program != "Tbs") return;
  chart.curves.push_back({"source", places_of(medians(series), Whose::source), CurveKind::circles});
  chart.curves.push_back(
      line_curve("predicted", predicted(time->source, machine), last, CurveKind::computed));
}

Chart prediction_chart(const Timings& timings, const char* program, const char* word,
                       const char* figures, int p) {
  Chart chart{fmt::format("blacs-timing-{}-predicted-{}", word, p),
              fmt::format("Predictions of {}s, p = {}, as figures {}", word, p, figures),
              time_axes(),
              {}};
  const std::string of = program;
  const TimingSeries* best = best_topology(timings, of, "blacs", p);
  const TimingSeries* other = of == "Tbs"
                                  ? measured_series(timings, of, "blacs", p > 2 ? "M3" : "I", p)
                                  : measured_series(timings, of, "blacs", "H", p);
  if (of == "Tg" && best == other) best = measured_series(timings, of, "blacs", "1", p);
  if (other != nullptr) add_prediction(chart, timings, *other);
  if (best != nullptr && best != other) add_prediction(chart, timings, *best);
  return chart;
}

Chart run_chart(const Timings& timings, const char* program, const char* word, const char* figures,
                int p) {
  Chart chart{fmt::format("blacs-timing-{}-runs-{}", word, p),
              fmt::format("Runs of {}s, p = {}, as figures {}", word, p, figures),
              time_axes(),
              {}};
  for (const TimingSeries* series : {measured_series(timings, program, "nx", "p", p),
                                     best_topology(timings, program, "blacs", p)}) {
    if (series == nullptr) continue;
    chart.curves.push_back(points_of(*series, curve_name(*series),
                                     {TimingKind::survey, TimingKind::again}, CurveKind::circles));
    chart.curves.push_back(
        points_of(*series, "reps = 1", {TimingKind::single}, CurveKind::crosses));
    chart.curves.push_back(
        line_curve("least squares", fit_of(*series), last_of(*series), CurveKind::fit));
  }
  return chart;
}

}  // namespace

std::vector<Chart> timing_charts(const Timings& timings) {
  std::vector<Chart> all = {message_chart(timings, "Tc", "4, 6, 8 and 10"),
                            message_chart(timings, "Ts", "5, 7, 9 and 11")};
  for (const int p : processes_in(timings)) {
    all.push_back(survey_chart(timings, "Tbs", "broadcast", "20 to 23", p));
    all.push_back(prediction_chart(timings, "Tbs", "broadcast", "24 to 31", p));
    all.push_back(run_chart(timings, "Tbs", "broadcast", "32 to 35", p));
    all.push_back(survey_chart(timings, "Tg", "sum", "40 to 43", p));
    all.push_back(prediction_chart(timings, "Tg", "sum", "44 to 47", p));
    all.push_back(run_chart(timings, "Tg", "sum", "48 to 51", p));
  }
  return all;
}

}  // namespace tutti::papers

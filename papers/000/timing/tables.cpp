// SPDX-License-Identifier: BSD-3-Clause
// The tables of paper 000 for this machine.
#include <fmt/format.h>

#include <algorithm>

#include "papers/000/timing/fit.hpp"
#include "papers/000/timing/model.hpp"
#include "papers/000/timing/report.hpp"

namespace tutti::papers {
namespace {

constexpr const char* fit_columns =
    "library<10;  p>3;  TOP<0;  alpha us>0.3f;  beta us/double>0.6f;  Rel Err %>0.2f;  "
    "processors<0";

// Returns the topology in words that a table shows.
std::string title_of_top(const std::string& top) {
  if (top == "p") return "own";
  return top == " " ? "blank" : top;
}

bool is_of(const TimingSeries& series, const std::string& program) {
  return series.program == program && !series.runs.empty();
}

nlohmann::json error_cell(const TimingSeries& series) {
  const std::optional<double> error = relative_error(series);
  return error ? nlohmann::json(*error) : nlohmann::json();
}

void add_fit_of(tools::Table& table, const TimingSeries& series) {
  const Line line = fit_of(series);
  table.add({title_of_library(series.library), series.p, title_of_top(series.top), line.alpha,
             line.beta, error_cell(series), main_place(series)});
}

MeasuredTable fits_of_messages(const Timings& timings, const char* program, const char* name,
                               const char* title) {
  tools::Table table(
      "library<10;  p>3;  alpha us>0.3f;  beta us/double>0.6f;  Rel Err %>0.2f;  processors<0");
  for (const TimingSeries& series : timings.series) {
    if (!is_of(series, program)) continue;
    const Line line = fit_of(series);
    table.add({title_of_library(series.library), series.p, line.alpha, line.beta,
               error_cell(series), main_place(series)});
  }
  return {name, title, std::move(table), {}};
}

MeasuredTable fit_of_one(const Timings& timings, const char* program, const char* name,
                         const char* title) {
  tools::Table table("time<4;  alpha us>0.3f;  beta us/double>0.6f;  Rel Err %>0.2f");
  for (const TimingSeries& series : timings.series) {
    if (!is_of(series, program)) continue;
    const Line line = fit_of(series);
    table.add({program, line.alpha, line.beta, error_cell(series)});
  }
  return {name, title, std::move(table), {}};
}

MeasuredTable short_messages(const Timings& timings) {
  tools::Table table(
      "library<10;  p>3;  Tc beta>0.6f;  Tc alpha>0.3f;  Ts beta>0.6f;  Ts alpha>0.3f");
  for (const TimingSeries& series : timings.series) {
    if (!is_of(series, "Tc")) continue;
    const TimingSeries* send = find_series(timings, "Ts", series.library, "", series.p);
    if (send == nullptr || send->runs.empty()) continue;
    const Line complete = small_fit_of(series), sending = small_fit_of(*send);
    table.add({title_of_library(series.library), series.p, complete.beta, complete.alpha,
               sending.beta, sending.alpha});
  }
  return {"table 8", "messages of 0 to 1000 doubles, us and us per double", std::move(table), {}};
}

double at_end(const std::vector<TimingPoint>& points) {
  return points.empty() ? 0 : points.back().us;
}

// ---- predictions ----

MeasuredTable broadcast_predictions(const Timings& timings) {
  const BlacsMachine machine = measured_machine(timings);
  tools::Table table(
      "p>3;  TOP<4;  first call<0;  next in a loop<0;  source<0;  source RE %>0.2f;  maximum RE "
      "%>0.2f;  measured us>0.2f;  predicted us>0.2f;  once: measured>0.2f;  predicted>0.2f");
  for (const TimingSeries& series : timings.series) {
    if (!is_of(series, "Tbs") || series.library != "blacs") continue;
    const auto time = time_of_series(series);
    if (!time) continue;
    const std::vector<TimingPoint> seen = medians(series);
    const Line told = average_of(*time, timings.reps, machine);
    const Line source = predicted(time->source, machine), once = predicted(time->first, machine);
    const double last = seen.back().n;
    table.add({series.p, series.top, papers::to_text(time->first), papers::to_text(time->next),
               papers::to_text(time->source),
               prediction_error(seen, source, ErrorOver::observed, Whose::source),
               prediction_error(seen, told, ErrorOver::observed, Whose::longest), at_end(seen),
               told.at(last), at_end(medians_of(series, TimingKind::single)), once.at(last)});
  }
  return {"table 11",
          "errors of predicted broadcasts, and times of the longest message",
          std::move(table),
          {fmt::format("Loops have {} calls. In rings, further calls of a loop take the time of "
                       "the fourth column; the others begin anew. The prediction takes a "
                       "processor for each process.",
                       timings.reps)}};
}

MeasuredTable sum_predictions(const Timings& timings) {
  const BlacsMachine machine = measured_machine(timings);
  tools::Table table(
      "p>3;  TOP<4;  predicted<0;  RE %>0.2f;  measured us>0.2f;  predicted us>0.2f;  RE % if "
      "sends and receives overlap>0.2f");
  for (const TimingSeries& series : timings.series) {
    if (!is_of(series, "Tg") || series.library != "blacs") continue;
    const auto time = time_of_series(series);
    if (!time) continue;
    const std::vector<TimingPoint> seen = medians(series);
    const Line told = predicted(time->first, machine);
    nlohmann::json overlapped;
    if (series.top == "H")
      overlapped = prediction_error(seen, predicted(overlapped_exchange(series.p), machine),
                                    ErrorOver::predicted, Whose::longest);
    table.add({series.p, series.top, papers::to_text(time->first),
               prediction_error(seen, told, ErrorOver::predicted, Whose::longest), at_end(seen),
               told.at(seen.back().n), overlapped});
  }
  return {"table 15",
          "errors of predicted times of sums (figures 44 to 47)",
          std::move(table),
          {"The error is divided by the prediction, and that of table 11 by the observation, as "
           "the paper does. H is the bidirectional exchange and 1 the 1-tree. On two processes "
           "every TOP exchanges."}};
}

// ---- fits of broadcasts and sums ----

MeasuredTable scoped_fits(const Timings& timings, const char* program, const char* name,
                          const char* title) {
  tools::Table table(fit_columns);
  for (const int p : processes_in(timings)) {
    for (const TimingSeries& series : timings.series) {
      if (!is_of(series, program) || series.p != p) continue;
      const TimingSeries* best = best_topology(timings, program, series.library, p);
      if (series.top == "p" || &series == best || series.top == " ") add_fit_of(table, series);
    }
  }
  return {name,
          title,
          std::move(table),
          {"The BLACS stand with their best topology, which has the shortest times in loops of one "
           "call, and with the blank, by which tutti chooses. Own operations have no topology."}};
}

double time_at(const std::vector<TimingPoint>& points, double n) {
  for (const TimingPoint& point : points)
    if (point.n >= n) return point.us;
  return at_end(points);
}

MeasuredTable survey_table(const Timings& timings, const char* program, const char* name,
                           const char* title) {
  tools::Table table(
      "p>3;  library<10;  TOP<0;  5000 doubles us>0.2f;  20000>0.2f;  50000>0.2f;  50000 "
      "once>0.2f");
  for (const int p : processes_in(timings)) {
    std::vector<const TimingSeries*> found;
    for (const TimingSeries& series : timings.series)
      if (is_of(series, program) && series.p == p) found.push_back(&series);
    std::stable_sort(found.begin(), found.end(),
                     [](auto* a, auto* b) { return at_end(medians(*a)) < at_end(medians(*b)); });
    for (const TimingSeries* series : found) {
      const std::vector<TimingPoint> seen = medians(*series);
      table.add({p, title_of_library(series->library), title_of_top(series->top),
                 time_at(seen, 5000), time_at(seen, 20000), time_at(seen, 50000),
                 at_end(medians_of(*series, TimingKind::single))});
    }
  }
  return {name, title, std::move(table), {}};
}

}  // namespace

std::vector<MeasuredTable> timing_tables(const Timings& timings) {
  std::vector<MeasuredTable> all;
  all.push_back(fits_of_messages(timings, "Tc", "table 5", "least squares fit of T_c"));
  all.push_back(fits_of_messages(timings, "Ts", "table 6", "least squares fit of T_s"));
  all.push_back(fit_of_one(timings, "Tm", "table 7", "least squares fit of T_m, a copy"));
  all.push_back(short_messages(timings));
  all.push_back(fit_of_one(timings, "To", "table 14", "least squares fit of T_o, adding"));
  all.push_back(survey_table(timings, "Tbs", "figures 20 to 23",
                             "broadcasts in the order of their times for the longest message"));
  all.push_back(broadcast_predictions(timings));
  all.push_back(scoped_fits(timings, "Tbs", "table 12", "least squares fit of broadcasts"));
  all.push_back(survey_table(timings, "Tg", "figures 40 to 43",
                             "sums in the order of their times for the longest message"));
  all.push_back(sum_predictions(timings));
  all.push_back(scoped_fits(timings, "Tg", "table 16", "least squares fit of sums"));
  return all;
}

}  // namespace tutti::papers

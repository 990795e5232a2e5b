// SPDX-License-Identifier: BSD-3-Clause
// The order of the measurements. A round runs every series once, so that a change of the machine
// meets all of them. The libraries' own operations and the best topology are measured again at
// every fifth length, as in the paper.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/processors.hpp"
#include "papers/000/timing/fit.hpp"
#include "papers/000/timing/timings.hpp"
#include "papers/common/measured.hpp"
#include "papers/common/runs.hpp"
#include "support/quiet.hpp"

namespace tutti::papers {
namespace {

std::vector<std::string> tops_of(const std::string& words) {
  std::vector<std::string> tops;
  std::istringstream in(words);
  for (std::string top; in >> top;) tops.push_back(top == "_" ? " " : top);
  return tops;
}

bool contains(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

// A process of MPICH that waits keeps its processor, so with more processes than processors a call
// takes milliseconds. Launchers of MPIs are slow, and a short plan starts two processes only.
bool is_left_out(const TimingPlan& plan, const std::string& library, int p, int processors) {
  if (!is_mpi(library)) return false;
  return (plan.rounds == 1 && p > 2) || (library == "mpich" && p > processors);
}

int processors_here() {
  return static_cast<int>(base::usable_cpus());
}

void add_scoped(std::vector<TimingSeries>& all, const TimingPlan& plan, const std::string& library,
                int p) {
  for (const auto& [program, tops] : {std::pair{"Tbs", &plan.broadcasts}, {"Tg", &plan.sums}}) {
    if (library == "blacs") {
      for (const std::string& top : tops_of(*tops)) all.push_back({program, library, top, p, {}});
    } else if (library == "blacs94") {
      const std::vector<std::string> known = tops_of(*tops);
      for (const std::string& top : tops_of(plan.first_blacs))
        if (contains(known, top)) all.push_back({program, library, top, p, {}});
    } else {
      all.push_back({program, library, "p", p, {}});
    }
  }
}

std::vector<TimingSeries> series_of(const TimingPlan& plan) {
  std::vector<TimingSeries> all = {{"Tm", "", "", 1, {}}, {"To", "", "", 1, {}}};
  const std::vector<std::string> there = timing_libraries();
  for (const int p : plan.processes) {
    for (const std::string& library : plan.libraries) {
      if (!contains(there, library) || is_left_out(plan, library, p, processors_here())) continue;
      if (library != "icc")
        for (const char* program : {"Tc", "Ts"}) all.push_back({program, library, "", p, {}});
      add_scoped(all, plan, library, p);
    }
  }
  return all;
}

bool is_scoped(const TimingSeries& series) {
  return series.program == "Tbs" || series.program == "Tg";
}

// Runs that every round has of a series.
void run_round(const TimingPlan& plan, TimingSeries& series) {
  const int every = plan.step * plan.every;
  run_timing(series, {TimingKind::survey, 0, plan.last, plan.step, plan.reps});
  if (is_scoped(series))
    run_timing(series, {TimingKind::single, every, plan.last, every, 1});
  else
    run_timing(series, {TimingKind::small, 0, 1000, plan.small_step, plan.small_reps});
}

// The runs again are divided among the rounds.
void run_again(const TimingPlan& plan, TimingSeries& series, int round) {
  const int every = plan.step * plan.every;
  for (int i = round; i < plan.again; i += plan.rounds)
    run_timing(series, {TimingKind::again, 0, plan.last, every, plan.reps});
}

bool is_again(const Timings& timings, const TimingSeries& series) {
  if (!is_scoped(series) || series.top == "p") return true;
  const TimingSeries* best = best_topology(timings, series.program, series.library, series.p);
  return best == &series;
}

std::string step_text(const TimingSeries& series) {
  return fmt::format("{} {} {} p = {}", title_of_library(series.library), series.program,
                     series.top, series.p);
}

std::string machine_text(const TimingPlan& plan, const std::string& busy) {
  return measured_on(fmt::format("{} plan, {} round{}, loops of {} calls{}", plan.name, plan.rounds,
                                 plan.rounds == 1 ? "" : "s", plan.reps,
                                 left_out_text(plan, timing_libraries(), processors_here())),
                     busy);
}

}  // namespace

std::string left_out_text(const TimingPlan& plan, const std::vector<std::string>& there,
                          int processors) {
  std::string text;
  for (const std::string& library : plan.libraries) {
    if (!contains(there, library)) continue;
    std::string numbers;
    for (const int p : plan.processes)
      if (is_left_out(plan, library, p, processors))
        numbers += fmt::format("{}{}", numbers.empty() ? "" : ", ", p);
    if (!numbers.empty())
      text += fmt::format("; without {} on {} processes", title_of_library(library), numbers);
  }
  return text;
}

const TimingPlan& full_plan() {
  static const TimingPlan plan{"full",
                               {2, 4, 8},
                               {"blacs", "blacs94", "nx", "icc", "openmpi", "mpich"},
                               "1 H 2 3 I D S M3 F _",
                               "1 H 2 3 F _",
                               "1 H M3 I"};
  return plan;
}

const TimingPlan& quick_plan() {
  static const TimingPlan plan = [] {
    TimingPlan quick = full_plan();
    quick.name = "quick";
    quick.step = 2500;
    quick.every = 2;
    quick.again = 3;
    quick.small_step = 100;
    quick.reps = 5;
    quick.small_reps = 50;
    quick.rounds = 1;
    return quick;
  }();
  return plan;
}

const TimingPlan& brief_plan() {
  static const TimingPlan plan = [] {
    TimingPlan brief = quick_plan();
    brief.name = "brief";
    brief.processes = {2};
    brief.libraries = {"blacs", "nx"};
    brief.broadcasts = brief.sums = "1";
    brief.step = 5000;
    brief.again = 1;
    return brief;
  }();
  return plan;
}

Timings measure_timings(const TimingPlan& plan, const TimingProgress& progress,
                        const TimingKeeper& keep) {
  Timings timings{{}, plan.name, plan.reps, series_of(plan)};
  tools::LoadWatch watch(2);
  const std::string busy = watch.wait(0);
  const double steps = 2.0 * plan.rounds * static_cast<double>(timings.series.size());
  double done = 0;
  for (int round = 0; round < plan.rounds; ++round) {
    for (TimingSeries& series : timings.series) {
      progress(done++ / steps, step_text(series));
      run_round(plan, series);
    }
    for (TimingSeries& series : timings.series) {
      progress(done++ / steps, step_text(series) + ", again");
      if (is_again(timings, series)) run_again(plan, series, round);
    }
    timings.machine = machine_text(plan, busy.empty() ? watch.disturbed() : busy);
    keep(timings);
  }
  return timings;
}

}  // namespace tutti::papers

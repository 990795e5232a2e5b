// SPDX-License-Identifier: BSD-3-Clause
// The times of paper 000 measured on this machine: what is measured, and the measured points. The
// programs of papers/programs/timing measure them.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tutti::papers {

// The mean time of one call in a loop, in microseconds.
struct TimingPoint {
  double n = 0;       // doubles
  double us = 0;      // of broadcasts and sums, the time of the process that needs longest
  double source = 0;  // of broadcasts, the time of the source
};

enum class TimingKind {
  survey,  // all lengths once
  again,   // every fifth length
  single,  // every fifth length, in a loop of one call
  small    // 0 to 1000 doubles
};

// One run of a program.
struct TimingRun {
  TimingKind kind = TimingKind::survey;
  std::string place;  // distance of the two processors, such as near; mixed if it changed
  std::vector<TimingPoint> points;
};

// Series are told apart by program, library, TOP and number of processes.
struct TimingSeries {
  std::string program;  // Tc, Ts, Tbs, Tg; Tm (a copy) and To (adding doubles)
  std::string library;  // blacs, blacs94, nx, icc, openmpi, mpich; empty for Tm and To
  std::string top;      // "p" is the library's own; empty for messages
  int p = 1;
  std::vector<TimingRun> runs;
};

struct Timings {
  std::string machine;  // a sentence about the machine, the date and the load
  std::string plan;     // full, quick or brief
  int reps = 1;         // calls in a loop
  std::vector<TimingSeries> series;
};

struct TimingPlan {
  std::string name;
  std::vector<int> processes;
  std::vector<std::string> libraries;
  std::string broadcasts, sums;  // TOPs of the BLACS 1.1, divided by blanks; _ is the blank
  std::string first_blacs;       // those of the BLACS 1.0 that are measured, too
  int last = 50000, step = 1000;
  int every = 5;   // each so many lengths is measured again
  int again = 10;  // so often
  int small_step = 50;
  int reps = 15, small_reps = 200;
  int rounds = 7;
};
[[nodiscard]] const TimingPlan& full_plan();
[[nodiscard]] const TimingPlan& quick_plan();  // about a minute
[[nodiscard]] const TimingPlan& brief_plan();  // a second, for single entries of `tutti reproduce`

// Returns which of the libraries that are there the plan does not start on which numbers of
// processes, such as "; without MPICH on 4, 8 processes"; empty if it starts all.
[[nodiscard]] std::string left_out_text(const TimingPlan& plan,
                                        const std::vector<std::string>& there, int processors);

using TimingProgress = std::function<void(double done, const std::string& what)>;
using TimingKeeper = std::function<void(const Timings&)>;

// Measures all series. Calls `keep` after each round. Throws base::Error if a program fails.
[[nodiscard]] Timings measure_timings(const TimingPlan& plan, const TimingProgress& progress,
                                      const TimingKeeper& keep);

// Runs a program once with the arguments of appendix D and adds its points to the series. `first`,
// `last` and `step` are doubles.
struct TimingLoop {
  TimingKind kind = TimingKind::survey;
  int first = 0, last = 0, step = 1, reps = 1;
};
void run_timing(TimingSeries& series, const TimingLoop& loop);

[[nodiscard]] bool is_mpi(const std::string& library);
// The libraries whose programs are there, and whose launcher, too.
[[nodiscard]] std::vector<std::string> timing_libraries();
// The name that tables show, such as "BLACS 1.1".
[[nodiscard]] std::string title_of_library(const std::string& library);

[[nodiscard]] nlohmann::json json_of(const Timings& timings);
// Throws base::Error(invalid_argument) if the file is none that `tutti reproduce --save` writes.
[[nodiscard]] Timings timings_from(const std::string& path);
void keep_timings(const Timings& timings, const std::string& path);

// Null if there is none.
[[nodiscard]] const TimingSeries* find_series(const Timings& timings, const std::string& program,
                                              const std::string& library, const std::string& top,
                                              int p);
[[nodiscard]] std::vector<int> processes_in(const Timings& timings);

}  // namespace tutti::papers

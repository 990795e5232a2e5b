// SPDX-License-Identifier: BSD-3-Clause
// The programs of paper 003 measured on this machine: tutti-matmul and tutti-llcs, predicted before
// they run.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "papers/003/bsp_model.hpp"

namespace tutti::papers {

struct AppCase {
  BspProgram program = BspProgram::customized;
  int p = 1;
  int parameter = 1;  // q or alpha
  int n = 0;          // rows of a matrix, or characters of a string
};

struct AppRun {
  AppCase what;
  double seconds = 0;    // median
  double computing = 0;  // of products: the part of the process that computes longest
  // By the supersteps that the program would have, with the samples of the probe. 0 for one
  // process.
  double predicted = 0;
};

// A product by another algorithm than the thesis's, which takes the place of PBLAS in figure 4.11.
struct OtherProduct {
  std::string mode;  // of tutti-matmul
  int p = 1, n = 0;
  double seconds = 0;
};

// The rates that the probe finds for p processes; f is 0, because the programs have their own.
struct AppRates {
  int p = 1;
  BSPRates product, subsequence;
};

struct Applications {
  std::string machine;  // a sentence about the machine, the date and the load
  std::string plan;
  std::vector<AppRates> rates;
  std::vector<AppRun> runs;
  std::vector<OtherProduct> others;
};

enum class Probe { full, brief };

struct AppPlan {
  std::string name;
  std::vector<int> processes;  // besides 1
  std::vector<int> blocks, sizes;
  std::vector<int> alphas, standard_lengths, bit_lengths;
  int repeated = 5;
  Probe probe = Probe::full;
};
[[nodiscard]] const AppPlan& full_app_plan();
[[nodiscard]] const AppPlan& quick_app_plan();  // about a minute
[[nodiscard]] const AppPlan& brief_app_plan();  // seconds, for single entries

using AppProgress = std::function<void(double done, const std::string& what)>;
// Throws base::Error if a program fails. A program that is not built is left out.
[[nodiscard]] Applications measure_applications(const AppPlan& plan, const AppProgress& progress);

// The paths of the programs; empty if they are not there.
[[nodiscard]] std::string app_program(const std::string& name);
// Runs a case, predicted before.
[[nodiscard]] AppRun run_case(const AppCase& what, const AppPlan& plan, const std::string& folder);
// Returns the seconds that a program needs if these words start it, or nothing if it cannot run.
[[nodiscard]] std::optional<double> seconds_by(const std::vector<std::string>& start,
                                               const AppCase& what, const std::string& folder);
[[nodiscard]] double run_other(const OtherProduct& what, const AppPlan& plan);
// Measures the rates of p processes and keeps the probe's file in the folder.
[[nodiscard]] AppRates probe_rates(int p, const AppPlan& plan, const std::string& folder);

[[nodiscard]] nlohmann::json json_of(const Applications& applications);
// Throws base::Error(invalid_argument) if the file is none that --save writes.
[[nodiscard]] Applications applications_from(const std::string& path);

// ---- what follows from the runs ----

// Null if there is none.
[[nodiscard]] const AppRun* find_run(const Applications& all, const AppCase& what);
// The runs of a program on p processes, in the order in which they were measured.
[[nodiscard]] std::vector<const AppRun*> runs_of(const Applications& all, BspProgram program,
                                                 int p);
// The time of an operation of the largest problem on one process, as the thesis takes it. 0 if
// there is none.
[[nodiscard]] double f_of(const Applications& all, BspProgram program);
[[nodiscard]] double operations_of(const AppCase& what);
// By the cost expressions of the thesis. Empty if there are no rates.
[[nodiscard]] std::optional<double> by_expressions(const Applications& all, const AppCase& what,
                                                   BSPModel model);

// A line of tables D to G for this machine. Errors are means over the sizes of the difference
// between predicted and measured times, over the measured ones, in %.
struct AppLine {
  int p = 1, parameter = 1;
  double efficiency = 0;  // %, the largest
  double plain = 0, extended = 0, by_process = 0;
};
[[nodiscard]] std::vector<AppLine> lines_of(const Applications& all, BspProgram program);

}  // namespace tutti::papers

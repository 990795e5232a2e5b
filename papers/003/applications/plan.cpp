// SPDX-License-Identifier: BSD-3-Clause
// The plans, and the order of the measurements: the rates first, then the cases of one process,
// which give the speeds, then the others.
#include <fmt/format.h>

#include "base/error.hpp"
#include "papers/003/applications/folder.hpp"
#include "papers/003/applications/runs.hpp"
#include "papers/common/measured.hpp"
#include "support/quiet.hpp"

namespace tutti::papers {
namespace {

void add_products(std::vector<AppCase>& cases, const AppPlan& plan, int p) {
  for (const BspProgram program : {BspProgram::customized, BspProgram::fixed})
    for (const int q : plan.blocks)
      for (const int n : plan.sizes) cases.push_back({program, p, q, n});
}

void add_subsequences(std::vector<AppCase>& cases, const AppPlan& plan, int p) {
  const std::vector<int> alone{1};
  for (const BspProgram program : {BspProgram::standard, BspProgram::bit_parallel})
    for (const int alpha : p == 1 ? alone : plan.alphas)
      for (const int n : program == BspProgram::standard ? plan.standard_lengths : plan.bit_lengths)
        cases.push_back({program, p, alpha, n});
}

std::vector<AppCase> cases_of(const AppPlan& plan) {
  std::vector<int> processes{1};
  processes.insert(processes.end(), plan.processes.begin(), plan.processes.end());
  const bool has_products = !app_program("matmul").empty();
  const bool has_subsequences = !app_program("llcs").empty();
  if (!has_products && !has_subsequences)
    base::fail(base::Status::system_error,
               "neither tutti-matmul nor tutti-llcs is there; build or install tutti again");
  std::vector<AppCase> cases;
  for (const int p : processes) {
    if (has_products) add_products(cases, plan, p);
    if (has_subsequences) add_subsequences(cases, plan, p);
  }
  return cases;
}

// The algorithms of tutti-matmul that need more memory than the thesis's.
std::vector<OtherProduct> others_of(const AppPlan& plan) {
  std::vector<OtherProduct> others;
  if (app_program("matmul").empty()) return others;
  for (const int p : plan.processes)
    for (const char* mode : {"split", "summa"})
      for (const int n : plan.sizes) others.push_back({mode, p, n, 0});
  return others;
}

std::string case_text(const AppCase& what) {
  return fmt::format("{}, p = {}, {}, n = {}", is_product(what.program) ? "product" : "llcs",
                     what.p, what.parameter, what.n);
}

}  // namespace

const AppPlan& full_app_plan() {
  static const AppPlan plan{"full",
                            {2, 4},
                            {8, 27, 64, 125},
                            {500, 1000, 1500, 2000, 3000, 4000},
                            {1, 2, 3, 4, 5},
                            {8192, 12288, 16384, 24576, 32768},
                            {16384, 32768, 65536, 131072, 262144}};
  return plan;
}

const AppPlan& quick_app_plan() {
  static const AppPlan plan{"quick",        {2}, {8, 27, 64}, {300, 600}, {1, 2, 4}, {4096, 8192},
                            {16384, 65536}, 3,   Probe::brief};
  return plan;
}

const AppPlan& brief_app_plan() {
  static const AppPlan plan{"brief", {2}, {8}, {300}, {2}, {4096}, {16384}, 1, Probe::brief};
  return plan;
}

Applications measure_applications(const AppPlan& plan, const AppProgress& progress) {
  const AppFolder folder;
  const std::vector<AppCase> cases = cases_of(plan);
  Applications all{{}, plan.name, {}, {}, others_of(plan)};
  tools::LoadWatch watch(2);
  const std::string busy = watch.wait(0);
  const double steps =
      static_cast<double>(plan.processes.size() + cases.size() + all.others.size());
  double done = 0;
  for (const int p : plan.processes) {
    progress(done++ / steps, fmt::format("rates of {} processes", p));
    all.rates.push_back(probe_rates(p, plan, folder.path()));
  }
  for (const AppCase& what : cases) {
    progress(done++ / steps, case_text(what));
    all.runs.push_back(run_case(what, plan, folder.path()));
  }
  for (OtherProduct& other : all.others) {
    progress(done++ / steps, fmt::format("{}, p = {}, n = {}", other.mode, other.p, other.n));
    other.seconds = run_other(other, plan);
  }
  all.machine = measured_on(fmt::format("{} plan, median of {} run{}", plan.name, plan.repeated,
                                        plan.repeated == 1 ? "" : "s"),
                            busy.empty() ? watch.disturbed() : busy);
  return all;
}

}  // namespace tutti::papers

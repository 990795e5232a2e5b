// SPDX-License-Identifier: BSD-3-Clause
// Computes speeds, predictions, efficiencies and errors from runs.
#include <algorithm>
#include <cmath>

#include "papers/003/applications/runs.hpp"

namespace tutti::papers {
namespace {

bool is_same(const AppCase& a, const AppCase& b) {
  return a.program == b.program && a.p == b.p && a.parameter == b.parameter && a.n == b.n;
}

// Means of errors are taken over all runs of a line.
class Mean {
 public:
  void add(double predicted, double measured) {
    sum_ += 100 * std::abs(predicted / measured - 1);
    ++count_;
  }
  [[nodiscard]] double value() const { return count_ == 0 ? 0 : sum_ / count_; }

 private:
  double sum_ = 0;
  int count_ = 0;
};

AppLine line_of(const Applications& all, const std::vector<const AppRun*>& runs) {
  const AppCase& first = runs.front()->what;
  const double f = f_of(all, first.program);
  AppLine line{first.p, first.parameter};
  Mean plain, extended, by_process;
  for (const AppRun* run : runs) {
    line.efficiency =
        std::max(line.efficiency,
                 100 * BSPWrapper::Efficiency(operations_of(run->what), f, run->seconds, first.p));
    if (const auto told = by_expressions(all, run->what, BSPModel::plain))
      plain.add(*told, run->seconds);
    if (const auto told = by_expressions(all, run->what, extended_model(first.program)))
      extended.add(*told, run->seconds);
    if (run->predicted > 0) by_process.add(run->predicted, run->seconds);
  }
  line.plain = plain.value();
  line.extended = extended.value();
  line.by_process = by_process.value();
  return line;
}

}  // namespace

const AppRun* find_run(const Applications& all, const AppCase& what) {
  for (const AppRun& run : all.runs)
    if (is_same(run.what, what)) return &run;
  return nullptr;
}

std::vector<const AppRun*> runs_of(const Applications& all, BspProgram program, int p) {
  std::vector<const AppRun*> found;
  for (const AppRun& run : all.runs)
    if (run.what.program == program && run.what.p == p) found.push_back(&run);
  return found;
}

double operations_of(const AppCase& what) {
  const double n = what.n;
  return is_product(what.program) ? n * n * n : n * n;
}

double f_of(const Applications& all, BspProgram program) {
  int largest = 0;
  double f = 0;
  for (const AppRun* run : runs_of(all, program, 1)) {
    if (run->what.n < largest) continue;
    const double seconds = is_product(program) ? run->computing : run->seconds;
    const double found = seconds / operations_of(run->what);
    if (run->what.n > largest || found < f) f = found;
    largest = run->what.n;
  }
  return f;
}

std::optional<double> by_expressions(const Applications& all, const AppCase& what, BSPModel model) {
  for (const AppRates& found : all.rates) {
    if (found.p != what.p) continue;
    BSPRates rates = is_product(what.program) ? found.product : found.subsequence;
    rates.f = f_of(all, what.program);
    BspCell cell;
    cell.program = what.program;
    cell.p = what.p;
    cell.parameter = what.parameter;
    return bsp_seconds(cell, rates, model, what.n, {});
  }
  return {};
}

std::vector<AppLine> lines_of(const Applications& all, BspProgram program) {
  std::vector<std::vector<const AppRun*>> lines;
  for (const AppRates& rates : all.rates)
    for (const AppRun* run : runs_of(all, program, rates.p)) {
      const auto same = std::ranges::find_if(lines, [run](const auto& line) {
        return line.front()->what.p == run->what.p &&
               line.front()->what.parameter == run->what.parameter;
      });
      if (same == lines.end())
        lines.push_back({run});
      else
        same->push_back(run);
    }
  std::vector<AppLine> found;
  for (const auto& line : lines) found.push_back(line_of(all, line));
  return found;
}

}  // namespace tutti::papers

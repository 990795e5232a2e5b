// SPDX-License-Identifier: BSD-3-Clause
// Computes BSP parameters as weighted means over samples, and evaluates the formulas of the cost
// model.
#include "bsp_model/model.hpp"

#include <algorithm>
#include <cmath>

namespace tutti::tools {
namespace {

void add_oxford(Gap& gap, const std::vector<GapSample>& samples) {
  const auto by_gap = [](const GapSample& a, const GapSample& b) { return a.g < b.g; };
  const auto [least, most] = std::minmax_element(samples.begin(), samples.end(), by_gap);
  gap.overhead_oxford = (most->g / least->g - 1) * most->Words();
}

// Fits T = g h + l to the samples with the smallest messages.
void add_regression(Gap& gap, const std::vector<GapSample>& samples, double size) {
  double n = 0, h = 0, t = 0, hh = 0, ht = 0;
  for (const GapSample& sample : samples) {
    if (sample.size != size) continue;
    const double x = sample.Words(), y = sample.g * x;
    n += 1;
    h += x;
    t += y;
    hh += x * x;
    ht += x * y;
  }
  const double spread = n * hh - h * h;
  if (spread <= 0) return;
  gap.regression_g = (n * ht - h * t) / spread;
  gap.regression_l = (t - gap.regression_g * h) / n;
}

}  // namespace

Gap gap_of(const std::vector<GapSample>& samples) {
  Gap gap;
  if (samples.empty()) return gap;
  static_cast<BSPWrapper::BSPGap&>(gap) = BSPWrapper::FitGap(samples);
  const auto by_size = [](const GapSample& a, const GapSample& b) { return a.size < b.size; };
  add_oxford(gap, samples);
  add_regression(gap, samples, std::min_element(samples.begin(), samples.end(), by_size)->size);
  return gap;
}

Gap in_plus_out(Gap gap) {
  gap.g_inf /= 2;
  gap.g_small /= 2;
  gap.regression_g /= 2;
  gap.h_half *= 2;
  gap.overhead *= 2;
  gap.overhead_oxford *= 2;
  gap.error_bsp /= 4;
  gap.error_bspstar /= 4;
  return gap;
}

namespace {

// Prices each access by its own gap and overhead. A superstep has one start-up, that of its slowest
// access.
double predicted_by_access(const BspMachine& machine, const Superstep& step, Model model) {
  double time = step.compute * machine.speed, startup = 0;
  bool communicates = false;
  for (std::size_t i = 0; i < access_names.size(); ++i) {
    const Moved& moved = step.moved[i];
    const Gap& gap = (*machine.gaps)[i];
    if (moved.messages + moved.words <= 0) continue;
    communicates = true;
    time += gap.g_inf * moved.words;
    if (model == Model::overhead) time += gap.g_inf * gap.overhead * moved.messages;
    startup = std::max(startup, gap.g_inf * gap.h_half);
  }
  if (model == Model::plain) return time + (communicates ? machine.l_busy : machine.l);
  return time + startup + machine.l;
}

}  // namespace

double predicted(const BspMachine& machine, const Superstep& step, Model model) {
  if (model == Model::by_process) return predicted_by_process(machine, step);
  if (machine.gaps) return predicted_by_access(machine, step, model);
  const double compute = step.compute * machine.speed;
  if (step.words <= 0) return compute + machine.l;
  switch (model) {
    case Model::plain:
      return compute + machine.gap.g_inf * step.words + machine.l_busy;
    case Model::startup:
      return compute + machine.gap.At(step.words) * step.words + machine.l;
    default:
      return compute +
             machine.gap.At(step.words, step.words / std::max(step.messages, 1.0)) * step.words +
             machine.l;
  }
}

double predicted(const BspMachine& machine, std::span<const Superstep> steps, Model model) {
  double total = 0;
  for (const Superstep& step : steps) total += predicted(machine, step, model);
  return total;
}

}  // namespace tutti::tools

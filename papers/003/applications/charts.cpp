// SPDX-License-Identifier: BSD-3-Clause
// The figures of chapters 4 and 5 of paper 003 for this machine.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "papers/003/applications/report.hpp"

namespace tutti::papers {
namespace {

using draw::Curve;
using CurveKind = draw::Curve::Kind;

struct Part {
  BspProgram program;
  const char* key;  // of files
  const char* title;
  const char* speedups;  // figures of the paper
  const char* predictions;
};
constexpr Part parts[] = {
    {BspProgram::customized, "customized", "Product in its blocks", "figures 4.4, 4.6, 4.7",
     "figures 4.5, 4.6, 4.8"},
    {BspProgram::fixed, "static", "Product in one block for each process", "figure 4.9",
     "figure 4.10"},
    {BspProgram::standard, "standard", "Subsequence, standard", "figure 5.12",
     "figures 5.9 to 5.11"},
    {BspProgram::bit_parallel, "bits", "Subsequence, bit-parallel", "figure 5.16",
     "figures 5.13, 5.15"},
};

const char* size_of(BspProgram program) {
  return is_product(program) ? "n" : "characters";
}

// The runs of each q or alpha.
std::map<int, std::vector<const AppRun*>> by_parameter(const Applications& all, BspProgram program,
                                                       int p) {
  std::map<int, std::vector<const AppRun*>> found;
  for (const AppRun* run : runs_of(all, program, p)) found[run->what.parameter].push_back(run);
  return found;
}

std::string curve_name(BspProgram program, int parameter) {
  return fmt::format("{} = {}", is_product(program) ? "q" : "alpha", parameter);
}

// G operations per second of one process over the size.
Chart rates_chart(const Applications& all, const BspProgram shown) {
  const bool product = is_product(shown);
  Chart chart{product ? "bsp-product-rate" : "bsp-character-rate",
              product ? "Multiply-adds of one process, as figures 3.1 and 4.3"
                      : "Characters of one process, as figures 3.2, 5.8 and 5.14",
              linear_axes(product ? "n" : "characters", "G/s"),
              {}};
  for (const Part& part : parts) {
    if (is_product(part.program) != product || part.program == BspProgram::fixed) continue;
    for (const auto& [parameter, runs] : by_parameter(all, part.program, 1)) {
      Curve curve{
          product ? curve_name(part.program, parameter) : part.title, {}, CurveKind::measured};
      for (const AppRun* run : runs)
        curve.points.push_back(
            {static_cast<double>(run->what.n), 1e-9 * operations_of(run->what) / run->seconds});
      chart.curves.push_back(std::move(curve));
    }
  }
  return chart;
}

// The time of one process over that of p, measured, and predicted by the supersteps as dashes. A
// product has as many blocks on one process; a common subsequence has one.
Chart speedup_chart(const Applications& all, const Part& part, int p) {
  Chart chart{fmt::format("bsp-{}-speedup-{}", part.key, p),
              fmt::format("{}, p = {}, speedup ({})", part.title, p, part.speedups),
              linear_axes(size_of(part.program), "speedup"),
              {}};
  for (const auto& [parameter, runs] : by_parameter(all, part.program, p)) {
    Curve curve{curve_name(part.program, parameter), {}, CurveKind::measured};
    Curve told{"by process", {}, CurveKind::computed};
    for (const AppRun* run : runs) {
      const AppRun* one =
          find_run(all, {part.program, 1, is_product(part.program) ? parameter : 1, run->what.n});
      if (one == nullptr) continue;
      const auto n = static_cast<double>(run->what.n);
      curve.points.push_back({n, one->seconds / run->seconds});
      if (run->predicted > 0) told.points.push_back({n, one->seconds / run->predicted});
    }
    for (Curve* each : {&curve, &told})
      if (!each->points.empty()) chart.curves.push_back(std::move(*each));
  }
  return chart;
}

// Measured times as circles, those of the thesis's expressions as dashes, and those of the
// supersteps as a thin line.
Chart prediction_chart(const Applications& all, const Part& part, int p) {
  Chart chart{fmt::format("bsp-{}-predicted-{}", part.key, p),
              fmt::format("{}, p = {}, predicted ({})", part.title, p, part.predictions),
              linear_axes(size_of(part.program), "ms"),
              {}};
  const BSPModel model = extended_model(part.program);
  for (const auto& [parameter, runs] : by_parameter(all, part.program, p)) {
    Curve measured{curve_name(part.program, parameter), {}, CurveKind::circles};
    Curve expression{words_of(model), {}, CurveKind::computed},
        process{"by process", {}, CurveKind::fit};
    for (const AppRun* run : runs) {
      const auto n = static_cast<double>(run->what.n);
      measured.points.push_back({n, run->seconds * 1e3});
      if (const auto told = by_expressions(all, run->what, model))
        expression.points.push_back({n, *told * 1e3});
      if (run->predicted > 0) process.points.push_back({n, run->predicted * 1e3});
    }
    for (Curve* curve : {&measured, &expression, &process})
      if (!curve->points.empty()) chart.curves.push_back(std::move(*curve));
  }
  return chart;
}

// Time over that with one column of blocks for each process, beside W.
Chart work_chart(const Applications& all, int p) {
  Chart chart{fmt::format("bsp-work-{}", p),
              fmt::format("Time over alpha, p = {}, beside W of figure 5.5", p),
              linear_axes("alpha", "over that of alpha = 1"),
              {}};
  Curve work{"W by (5.2)", {}, CurveKind::plain};
  for (const Part& part : parts) {
    if (is_product(part.program)) continue;
    Curve curve{part.title, {}, CurveKind::measured};
    double first = 0, first_work = 0;
    for (const auto& [alpha, runs] : by_parameter(all, part.program, p)) {
      const AppRun* last = runs.back();
      const BSPWrapper::SubsequenceCost cost(last->what.n, alpha, p,
                                             BSPWrapper::SubsequenceCost::Standard);
      if (first <= 0) first = last->seconds, first_work = cost.W();
      curve.points.push_back({static_cast<double>(alpha), last->seconds / first});
      if (part.program == BspProgram::standard)
        work.points.push_back({static_cast<double>(alpha), cost.W() / first_work});
    }
    chart.curves.push_back(std::move(curve));
  }
  chart.curves.push_back(std::move(work));
  std::erase_if(chart.curves, [](const Curve& curve) { return curve.points.empty(); });
  return chart;
}

// G operations per second of the thesis's algorithm with each q, and of the others.
Chart others_chart(const Applications& all, int p) {
  Chart chart{fmt::format("bsp-product-others-{}", p),
              fmt::format("Products by several algorithms, p = {}, as figure 4.11", p),
              linear_axes("n", "G/s"),
              {}};
  for (const auto& [q, runs] : by_parameter(all, BspProgram::customized, p)) {
    Curve curve{curve_name(BspProgram::customized, q), {}, CurveKind::measured};
    for (const AppRun* run : runs)
      curve.points.push_back(
          {static_cast<double>(run->what.n), 1e-9 * operations_of(run->what) / run->seconds});
    chart.curves.push_back(std::move(curve));
  }
  for (const char* mode : {"split", "summa"}) {
    Curve curve{mode, {}, CurveKind::plain};
    for (const OtherProduct& one : all.others) {
      const double n = one.n;
      if (one.mode == mode && one.p == p)
        curve.points.push_back({n, 1e-9 * n * n * n / one.seconds});
    }
    if (!curve.points.empty()) chart.curves.push_back(std::move(curve));
  }
  return chart;
}

}  // namespace

std::vector<Chart> application_charts(const Applications& all) {
  std::vector<Chart> charts{rates_chart(all, BspProgram::customized),
                            rates_chart(all, BspProgram::standard)};
  for (const AppRates& rates : all.rates) {
    for (const Part& part : parts) {
      charts.push_back(speedup_chart(all, part, rates.p));
      charts.push_back(prediction_chart(all, part, rates.p));
    }
    charts.push_back(work_chart(all, rates.p));
    charts.push_back(others_chart(all, rates.p));
  }
  std::erase_if(charts, [](const Chart& chart) { return chart.curves.empty(); });
  return charts;
}

}  // namespace tutti::papers

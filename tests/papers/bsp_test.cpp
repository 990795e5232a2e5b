// SPDX-License-Identifier: BSD-3-Clause
// Tests the programs of paper 003: the cells of its appendices and their tolerances, its machines
// as machine files, and what is computed from runs of the programs here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "bsp_model/machine_rates.hpp"
#include "bsp_model/thesis.hpp"
#include "papers/003/applications/report.hpp"
#include "papers/003/bsp_model.hpp"

namespace tutti::papers {
namespace {

TEST(BspCells, AreThoseOfTheAppendices) {
  std::size_t cells = 0;
  for (const char appendix : {'D', 'E', 'F', 'G'})
    for (const char machine : {'1', '2', '3'}) cells += bsp_cells({appendix, '.', machine}).size();
  EXPECT_EQ(cells, 659U);
  const BspCell last = bsp_cells("G.3").back();
  EXPECT_EQ(last.machine, "aracari");
  EXPECT_EQ(last.library, "MPIMPASS");
  EXPECT_EQ(last.p, 32);
  EXPECT_EQ(last.parameter, 5);
  EXPECT_DOUBLE_EQ(last.efficiency, 43.82);
  EXPECT_DOUBLE_EQ(last.error_plain, 6.0);
  EXPECT_DOUBLE_EQ(last.error_extended, 6.2);
  EXPECT_EQ(bsp_table(last.program, last.machine), "G.3");
  EXPECT_THROW((void)bsp_cells("H.1"), base::Error);
}

TEST(BspCells, TheTolerancesAreThePrintedErrorsFromATenthUpToAQuarter) {
  BspCell cell = bsp_cells("D.1").front();
  EXPECT_DOUBLE_EQ(bsp_tolerance(cell, BSPModel::plain).relative, 0.174);
  EXPECT_DOUBLE_EQ(bsp_tolerance(cell, BSPModel::overhead).relative, 0.172);
  cell.error_plain = 0.3;
  EXPECT_DOUBLE_EQ(bsp_tolerance(cell, BSPModel::plain).relative, 0.1);
  cell.error_plain = 83.9;
  EXPECT_DOUBLE_EQ(bsp_tolerance(cell, BSPModel::plain).relative, 0.25);
}

// An error of the extended model is the same for all sizes, and follows from the efficiency alone.
TEST(BspCells, ErrorsFollowFromTheEfficiencies) {
  int agree = 0, cells = 0;
  for (const char appendix : {'D', 'E', 'F', 'G'})
    for (const char machine : {'1', '2', '3'})
      for (const BspCell& cell : bsp_cells({appendix, '.', machine})) {
        const BSPModel extended = extended_model(cell.program);
        const auto error = bsp_error(cell, extended), plain = bsp_error(cell, BSPModel::plain);
        if (!error) continue;
        const double ours = *bsp_efficiency(cell, extended);
        EXPECT_NEAR(*error,
                    100 - 100 * std::min(ours, cell.efficiency) / std::max(ours, cell.efficiency),
                    1e-9);
        cells += 2;
        agree += std::abs(*error - cell.error_extended) <= 10 ? 1 : 0;
        agree += std::abs(*plain - cell.error_plain) <= 10 ? 1 : 0;
      }
  EXPECT_EQ(cells, 1298);
  EXPECT_GE(agree, 850);
}

TEST(BspCells, NoRatesMeanNoEfficiency) {
  for (const BspCell& cell : bsp_cells("F.1")) {
    const bool missing = cell.library == "PUB" && cell.p == 8;  // not in table C.2
    EXPECT_EQ(bsp_efficiency(cell, BSPModel::plain).has_value(), !missing);
  }
}

TEST(BspCells, ExchangedRatesChangeTheStandardAlgorithmOfTheClustersOnly) {
  for (const char* table : {"D.2", "F.1", "F.2", "F.3", "G.2"}) {
    const BspCell cell = bsp_cells(table).front();
    const double with = *bsp_efficiency(cell, BSPModel::plain, {.exchanged = true});
    const double without = *bsp_efficiency(cell, BSPModel::plain, {.exchanged = false});
    const double ratio = table == std::string("F.2")   ? 86.0 / 61
                         : table == std::string("F.3") ? 61.0 / 86
                                                       : 1;
    EXPECT_NEAR(with / without, ratio, 0.03) << table;
  }
}

// The files say that their figures follow from appendix C.
TEST(BspMachines, FilesHaveTheFiguresOfTheTables) {
  constexpr const char* libraries[][2] = {
      {"skua", "Oxtool"}, {"argus", "PUB"}, {"aracari", "Oxtool"}};
  for (const auto& [name, library] : libraries) {
    const machine::Machine machine = machine::load_machine(name);
    const auto gap = tools::thesis_gap({name, library, "4"}, "random", "put");
    ASSERT_TRUE(gap) << name;
    EXPECT_NEAR(machine.node.alpha, 1e6 * gap->g_inf * (gap->h_half + gap->overhead),
                1e-3 * machine.node.alpha)
        << name;
    EXPECT_NEAR(machine.node.beta, 1e6 * gap->g_inf / 8, 1e-9) << name;
  }
}

TEST(BspMachines, AMachineFileGivesTheRatesOfSupersteps) {
  const machine::Machine aracari = machine::load_machine("aracari");
  const tools::BspMachine rates = tools::bsp_machine_of(aracari, 9);
  EXPECT_DOUBLE_EQ(rates.l, 4 * aracari.node.alpha * 1e-6);
  EXPECT_DOUBLE_EQ(rates.l_busy - rates.l, aracari.node.alpha * 1e-6);
  EXPECT_DOUBLE_EQ(rates.gap.g_inf, 8 * aracari.node.beta * 1e-6);
  EXPECT_NEAR(rates.gap.At(1), (aracari.node.alpha + 8 * aracari.node.beta) * 1e-6, 1e-12);
  EXPECT_DOUBLE_EQ(tools::bsp_machine_of(aracari, 1).l, 0);
  EXPECT_THROW((void)tools::bsp_machine_of(aracari, 129), base::Error);
}

// Runs whose times are those of the thesis's expressions, with g(h, h*) or g(h), times `slower`.
Applications made_up(double slower) {
  Applications all{"Made up.", "full", {}, {}, {}};
  AppRates rates{2, {}, {}};
  rates.product.l = rates.subsequence.l = 3e-5;
  rates.product.l_empty = rates.subsequence.l_empty = 1e-5;
  rates.product.gap.g_inf = rates.subsequence.gap.g_inf = 1e-8;
  rates.product.gap.h_half = rates.subsequence.gap.h_half = 500;
  rates.product.gap.overhead = rates.subsequence.gap.overhead = 50;
  all.rates.push_back(rates);
  for (const BspProgram program :
       {BspProgram::customized, BspProgram::fixed, BspProgram::standard, BspProgram::bit_parallel})
    for (const int n : {512, 1024}) {
      const AppCase one{program, 1, is_product(program) ? 8 : 1, n};
      const double seconds = 1e-9 * operations_of(one);
      all.runs.push_back({one, seconds, seconds, 0});
    }
  const std::vector<AppRun> alone = all.runs;
  for (const AppRun& run : alone) {
    AppCase two = run.what;
    two.p = 2;
    const double seconds = *by_expressions(all, two, extended_model(two.program));
    all.runs.push_back({two, slower * seconds, 0, 0.9 * slower * seconds});
  }
  all.others = {{"split", 2, 512, 0.1}, {"summa", 2, 512, 0.2}};
  return all;
}

TEST(Applications, RunsOfTheModelHaveNoErrors) {
  const Applications all = made_up(1);
  for (const BspProgram program : {BspProgram::customized, BspProgram::fixed, BspProgram::standard,
                                   BspProgram::bit_parallel}) {
    EXPECT_DOUBLE_EQ(f_of(all, program), 1e-9);
    const std::vector<AppLine> lines = lines_of(all, program);
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_NEAR(lines.front().extended, 0, 1e-9);
    EXPECT_GT(lines.front().plain, 0.01);
    EXPECT_NEAR(lines.front().by_process, 10, 1e-9);
  }
}

TEST(Applications, ErrorsAndEfficienciesFollowTheTimes) {
  const AppLine fast = lines_of(made_up(1), BspProgram::customized).front();
  const AppLine slow = lines_of(made_up(2), BspProgram::customized).front();
  EXPECT_NEAR(slow.extended, 50, 1e-9);
  EXPECT_NEAR(slow.efficiency * 2, fast.efficiency, 1e-9);
}

TEST(Applications, TablesAndFiguresOfTheChaptersAreThere) {
  const Applications all = made_up(1);
  const std::vector<MeasuredTable> tables = application_tables(all);
  for (const char* name : {"table 4.2", "table 5.3", "table 5.4", "table D", "table E", "table F",
                           "table G", "figure 4.11"})
    EXPECT_TRUE(std::ranges::any_of(tables, [name](const MeasuredTable& table) {
      return table.name == name;
    })) << name;
  std::string titles;
  for (const Chart& chart : application_charts(all)) {
    titles += chart.title + "\n";
    EXPECT_NE(svg_of(chart).find("</svg>"), std::string::npos);
  }
  for (const char* figure :
       {"3.1",  "3.2", "4.3", "4.4", "4.5",  "4.6",  "4.7",  "4.8",  "4.9",  "4.10",
        "4.11", "5.5", "5.8", "5.9", "5.11", "5.12", "5.13", "5.14", "5.15", "5.16"})
    EXPECT_NE(titles.find(figure), std::string::npos) << figure;
}

}  // namespace
}  // namespace tutti::papers

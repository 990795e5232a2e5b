// SPDX-License-Identifier: BSD-3-Clause
// Checks that the fit of `tutti tune` finds the rates from which times were made.
#include "tune/fit.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "machine/profile.hpp"
#include "tune/file.hpp"
#include "tune/hosts.hpp"
#include "tune/rates.hpp"

namespace tutti::tools {
namespace {

constexpr selection::Terms message{1, 1, 0};
constexpr selection::Terms combined{1, 1, 1};

std::vector<Observation> exact(const selection::Rates& rates) {
  std::vector<Observation> found;
  for (const double bytes : {8.0, 64.0, 1024.0, 65536.0, 1e6}) {
    for (const auto& terms : {message, combined})
      found.push_back({terms, bytes, selection::time(terms, rates, bytes)});
  }
  return found;
}

void expect_near(const selection::Rates& found, const selection::Rates& wanted) {
  EXPECT_NEAR(found.alpha, wanted.alpha, 1e-6 * wanted.alpha);
  EXPECT_NEAR(found.beta, wanted.beta, 1e-6 * wanted.beta);
  EXPECT_NEAR(found.gamma, wanted.gamma, 1e-6 * wanted.beta);
}

TEST(TuneFit, FindsTheRatesOfExactTimes) {
  for (const selection::Rates rates :
       {selection::Rates{0.2, 1e-4, 2e-5}, {160, 0.02, 0.12}, {0.05, 1e-4, 0}}) {
    const Fit result = fit(exact(rates));
    expect_near(result.rates, rates);
    EXPECT_EQ(result.points, 10);
    EXPECT_LT(result.rms, 1e-6);
    EXPECT_LT(result.worst, 1e-6);
  }
}

TEST(TuneFit, RatesAreNeverNegative) {
  std::vector<Observation> observations = exact({0.2, 1e-4, 0});
  for (Observation& o : observations) {
    if (o.terms.gamma > 0) o.us *= 0.8;  // as if combining gave time back
  }
  const Fit result = fit(observations);
  EXPECT_EQ(result.rates.gamma, 0);
  EXPECT_GT(result.rates.alpha, 0);
  EXPECT_GT(result.rates.beta, 0);
  EXPECT_GT(result.worst, 0.05);
}

TEST(TuneFit, ErrorsAreRelative) {
  const std::vector<Observation> observations = {{{1, 0, 0}, 0, 1}, {{1, 0, 0}, 0, 2}};
  const Fit result = fit(observations);
  EXPECT_NEAR(result.rates.alpha, 1.2, 1e-9);  // least (a - 1)^2 + (a/2 - 1)^2
  EXPECT_NEAR(result.worst, 0.4, 1e-9);
  EXPECT_NEAR(result.rms, 0.316228, 1e-6);  // sqrt((0.2^2 + 0.4^2) / 2)
}

TEST(TuneFit, TermsThatDoNotOccurAreZero) {
  std::vector<Observation> observations;
  for (const double bytes : {8.0, 1024.0, 65536.0})
    observations.push_back({message, bytes, 0.3 + 1e-4 * bytes});
  const Fit result = fit(observations);
  expect_near(result.rates, {0.3, 1e-4, 0});
}

// Times that follow from other rates than those of the start.
TEST(FitRates, FindsRatesThatChooseAsTheTimesDo) {
  const selection::HostRates start = selection::host_rates_of(machine::load("host"));
  selection::HostRates wanted = start;
  wanted.wait = start.wait * 6;
  wanted.message = start.message / 5;
  wanted.read = start.read * 3;
  std::vector<RatedCell> cells;
  selection::HostRanking ranking(start, 4), exact(wanted, 4);
  selection::Question question;
  for (const auto operation : {schedule::Operation::broadcast, schedule::Operation::allreduce,
                               schedule::Operation::allgather, schedule::Operation::reduce}) {
    for (const int p : {2, 4, 8, 32}) {
      for (const std::int64_t bytes : {8, 65536}) {
        question.operation = operation;
        question.p = p;
        RatedCell cell{{p, 4}, {}};
        for (const selection::HostPlan& plan : spread_plans(ranking, question, bytes, 6)) {
          const double block = static_cast<double>(bytes) / plan.parts;
          cell.plans.push_back(
              {plan.counts, block, host_times(plan.counts, wanted, block, cell.place).total()});
        }
        if (cell.plans.size() > 1) cells.push_back(cell);
      }
    }
  }
  const RateFit fit = fit_rates(cells, start);
  EXPECT_LT(fit.median_error, 1.1);
  EXPECT_GT(fit.plans, 60);
  EXPECT_GT(fit.rates.wait, 2.5 * start.wait);
  EXPECT_LT(fit.rates.message, start.message / 1.5);
  selection::HostRanking found(fit.rates, 4);
  question.operation = schedule::Operation::alltoall;  // in no cell
  question.p = 8;
  EXPECT_EQ(found.best(question, 4096)->generator, exact.best(question, 4096)->generator);
}

TEST(FitRates, WithoutCellsTheRatesStay) {
  const selection::HostRates start = selection::host_rates_of(machine::load("host"));
  EXPECT_DOUBLE_EQ(fit_rates({}, start).rates.wait, start.wait);
}

TEST(FitRates, TheyAreAPartOfAProfile) {
  RateFit fit;
  fit.rates = selection::host_rates_of(machine::load("host"));
  fit.rates.line = 12.5;
  const std::string host = table_apart(machine::document_of("host").text, "shared_memory").rest;
  const machine::Profile made = machine::parse(host + rates_toml(fit, "2026-11-26"), "made");
  EXPECT_DOUBLE_EQ(selection::host_rates_of(made).line, 12.5);
  EXPECT_DOUBLE_EQ(selection::host_rates_of(made).wait, fit.rates.wait);
}

// Rates between hosts are measured separately, so each measurement keeps the results of the other.
TEST(TuneHosts, TheirTableIsReplacedAndNothingElse) {
  const std::string profile = machine::document_of("host").text;
  const TableApart built_in = table_apart(profile, "hosts");
  EXPECT_NE(built_in.table.find("# Rates between hosts"), std::string::npos);
  EXPECT_EQ(built_in.rest.find("hosts]"), std::string::npos);
  HostCosts costs;
  for (const std::int64_t bytes : {8, 65536})
    costs.points.push_back({bytes, 30 + 0.01 * static_cast<double>(bytes), 9});
  costs.fit.rates = {30, 0.01, 0};
  const std::string made = built_in.rest + hosts_text(costs, "2026-11-21") +
                           "\n# Mine.\n[[plan]]\noperation = \"bcast\"\n";
  const TableApart again = table_apart(made, "hosts");
  EXPECT_EQ(again.table, hosts_text(costs, "2026-11-21") + "\n");
  EXPECT_TRUE(again.rest.ends_with("# Mine.\n[[plan]]\noperation = \"bcast\"\n"));
  const machine::Profile found = machine::parse(built_in.rest + again.table, "made");
  EXPECT_DOUBLE_EQ(found.more.at("hosts.alpha").value, 30);
  EXPECT_DOUBLE_EQ(found.more.at("hosts.beta").value, 0.01);
  EXPECT_EQ(table_apart("a = 1", "hosts").rest, "a = 1");
  EXPECT_EQ(table_apart("", "hosts").table, "");
}

}  // namespace
}  // namespace tutti::tools

// SPDX-License-Identifier: BSD-3-Clause
// Lets all plans race on ten networks, and checks that the plan of the least price is nearly the
// fastest. These networks are others than those that bench/regret_networks.py judges.
#include "simulation/best.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "schedule/printer.hpp"

namespace tutti::tools {
namespace {

using schedule::Operation;

constexpr const char* networks[] = {
    "dragonfly:4x3x2", "dragonfly:3x3x3", "torus:5x5",           "torus:3x2x4", "mesh:4x6",
    "fattree:4x6",     "fattree:4x6/1x2", "fattree:3x3x3/1x2x1", "hypercube:4", "crossbar:24"};

struct Call {
  Operation operation;
  std::int64_t bytes;
};
constexpr Call calls[] = {{Operation::broadcast, 1 << 20},
                          {Operation::allreduce, 1 << 16},
                          {Operation::allgather, 1 << 20},
                          {Operation::reduce_scatter, 1 << 13},
                          {Operation::alltoall, 1 << 16}};

Setting setting_on(const char* network, Operation operation) {
  Setting setting;
  setting.machine = machine::load_machine("slingshot-dragonfly", {network});
  setting.operation = operation;
  setting.ranks = setting.machine.network.topology->nodes();
  return setting;
}

// Returns the simulated time of the first plan over that of the best.
double regret_of(const char* network, const Call& call) {
  const Setting setting = setting_on(network, call.operation);
  const Extent extent{call.bytes, call.bytes};
  const std::vector<Candidate> all = best_by_price(setting, extent, 100000);
  const std::vector<Outcome> race = simulated_best(all, setting, extent, [](const auto&) {});
  return simulated(all.front(), setting, extent).mean / race.front().mean;
}

TEST(Best, ThePlanOfTheLeastPriceIsNearlyTheFastest) {
  std::vector<double> regrets;
  for (const char* network : networks) {
    for (const Call& call : calls) {
      regrets.push_back(regret_of(network, call));
      EXPECT_LE(regrets.back(), 1.5) << network << " " << schedule::to_text(call.operation);
    }
  }
  std::sort(regrets.begin(), regrets.end());
  EXPECT_LE(regrets[regrets.size() / 2], 1.02);
  EXPECT_LE(regrets[regrets.size() * 95 / 100], 1.25);
}

TEST(Best, ThoseBeyondTheBestSoFarAreStopped) {
  const Setting setting = setting_on("dragonfly:4x3x2", Operation::allreduce);
  const Extent extent{1 << 20, 1 << 20};
  const std::vector<Candidate> few = best_by_price(setting, extent, 10);
  ASSERT_EQ(few.size(), 10U);
  EXPECT_TRUE(std::is_sorted(few.begin(), few.end(),
                             [](const auto& a, const auto& b) { return *a.price < *b.price; }));
  const std::vector<Outcome> race = simulated_best(few, setting, extent, [](const auto&) {});
  ASSERT_EQ(race.size(), few.size());
  EXPECT_FALSE(race.front().report.stopped);
  EXPECT_TRUE(race.back().report.stopped);
  for (const Candidate& candidate : few) {
    const Outcome alone = simulated(candidate, setting, extent);
    EXPECT_GE(alone.mean, race.front().mean) << candidate.name;
    const auto found = std::find_if(race.begin(), race.end(), [&](const Outcome& outcome) {
      return outcome.name == candidate.name;
    });
    ASSERT_NE(found, race.end());
    if (found->report.stopped) {
      EXPECT_LE(found->mean, alone.mean) << candidate.name;
      EXPECT_LT(found->report.events, alone.report.events) << candidate.name;
    } else {
      EXPECT_EQ(found->mean, alone.mean) << candidate.name;
    }
  }
}

}  // namespace
}  // namespace tutti::tools

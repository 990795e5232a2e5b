// SPDX-License-Identifier: BSD-3-Clause
// Tests in how much of a ring fragments take turns, with packets whose cost the test determines.
#include "transport/window_policy.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>

namespace tutti::transport {
namespace {

constexpr std::uint64_t mebi = 1 << 20;

base::Tuning tuning_of(std::int64_t window) {
  base::Tuning rows;
  rows.fragment_window = window;
  return rows;
}

// Plays so many turns of two packets each, and returns how many turns were in windows of each
// length.
std::map<std::uint64_t, int> play(WindowPolicy& policy, int turns,
                                  const std::function<double(std::uint64_t)>& cost) {
  std::map<std::uint64_t, int> seen;
  for (int turn = 0; turn < turns; ++turn) {
    ++seen[policy.bytes()];
    const bool counts = policy.looks() || turn % 4 == 0;
    for (int packet = 0; counts && packet < 2; ++packet)
      policy.learn(policy.number(), cost(policy.bytes()));
    policy.turn_ends();
  }
  return seen;
}

TEST(WindowPolicy, BeginsWithTheWindowOfTheTable) {
  const auto first = [](std::int64_t window, std::uint64_t ring) {
    const base::Tuning rows = tuning_of(window);
    return WindowPolicy(rows, ring).bytes();
  };
  EXPECT_EQ(first(0, 4 * mebi), 4 * mebi);
  EXPECT_EQ(first(mebi, 4 * mebi), mebi);
  EXPECT_EQ(first(4 * mebi, mebi), mebi) << "no window is longer than the ring";
}

TEST(WindowPolicy, TheBetterLengthIsFoundFromAnyBegin) {
  for (const std::int64_t begin : {1 << 20, 2 << 20}) {
    const base::Tuning rows = tuning_of(begin);
    WindowPolicy policy(rows, 2 * mebi);
    const auto cost = [](std::uint64_t bytes) { return bytes == mebi ? 0.1 : 0.13; };
    play(policy, 1000, cost);
    auto seen = play(policy, 1000, cost);
    EXPECT_GT(seen[mebi], 950) << begin;
  }
}

TEST(WindowPolicy, LengthsThatAreAlikeStay) {
  const base::Tuning rows = tuning_of(1 << 20);
  WindowPolicy policy(rows, 2 * mebi);
  int turn = 0;
  const auto cost = [&](std::uint64_t bytes) {
    return (bytes == mebi ? 0.1 : 0.099) * (++turn % 3 == 0 ? 1.1 : 1.0);
  };
  auto seen = play(policy, 2000, cost);
  EXPECT_GT(seen[mebi], 1800);
}

TEST(WindowPolicy, TrialsCostLittle) {
  const base::Tuning rows = tuning_of(1 << 20);
  WindowPolicy policy(rows, 4 * mebi);
  const auto cost = [](std::uint64_t bytes) { return bytes == mebi ? 0.1 : 0.2; };
  play(policy, 2000, cost);
  auto seen = play(policy, 20'000, cost);
  EXPECT_GE(seen[mebi], 20'000 - 200);
  EXPECT_LT(seen[mebi], 20'000) << "it is still tried now and then";
}

TEST(WindowPolicy, ARingOfAFewFragmentsHasOneWindow) {
  const base::Tuning rows = tuning_of(0);
  WindowPolicy policy(rows, 4 * static_cast<std::uint64_t>(rows.fragment));
  auto seen = play(policy, 1000, [](std::uint64_t) { return 0.1; });
  EXPECT_EQ(seen.size(), 1U);
}

}  // namespace
}  // namespace tutti::transport

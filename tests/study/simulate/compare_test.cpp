// SPDX-License-Identifier: BSD-3-Clause
// Compares the event engine with the second simulator, on random schedules and random machines.
// Times and contentions must be the same: within 0.1 % if bandwidth is shared, else exactly.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>

#include "brute.hpp"
#include "random_case.hpp"
#include "simulate/simulate.hpp"

namespace tutti::simulate {
namespace {

using machine::Switching;

constexpr const char* topologies[] = {
    "line:6",      "ring:7",     "mesh:3x4",        "torus:4x4",       "hypercube:3",
    "hypercube:5", "crossbar:9", "fattree:4x3/2x1", "dragonfly:3x2x2", "bus:8"};

struct Outcome {
  Report report;
  std::string failure;
};

Outcome engine(const Case& made) {
  SimulationOptions options;
  options.top = 1 << 20;
  try {
    return {simulate(made.machine, job_of(made.operation), options), ""};
  } catch (const Failure& failure) {
    return {{}, failure.kind() == Failure::Kind::lost ? "lost" : "stuck"};
  }
}

auto key(const Contention& c) {
  return std::tuple(c.link, c.blocked.step, c.blocked.from, c.blocked.to, c.time, c.wait,
                    c.blocking.step, c.blocking.from, c.blocking.to);
}

class Compare : public testing::TestWithParam<std::tuple<const char*, int, std::uint64_t>> {
 protected:
  static void compare(const Case& made, double tolerance) {
    const Outcome ours = engine(made);
    const BruteResult other = brute_force(made.machine, made.operation, made.unit);
    ASSERT_EQ(ours.failure, other.failure) << made.text;
    if (!ours.failure.empty()) return;
    EXPECT_EQ(ours.report.messages, other.messages);
    ASSERT_EQ(ours.report.ranks.size(), other.ends.size());
    const double near = tolerance * ours.report.time;
    for (std::size_t i = 0; i < other.ends.size(); ++i)
      ASSERT_NEAR(ours.report.ranks[i].end, other.ends[i], near) << made.text << ", rank " << i;
    EXPECT_EQ(ours.report.port_waits, other.port_waits) << made.text;
    compare_contentions(made, ours.report, other.contentions, near);
  }

  static void compare_contentions(const Case& made, const Report& report,
                                  std::vector<Contention> others, double near) {
    std::vector<Contention> mine = report.worst;
    ASSERT_EQ(static_cast<std::size_t>(report.contentions), others.size()) << made.text;
    ASSERT_EQ(mine.size(), others.size()) << made.text;
    const auto before = [](const Contention& a, const Contention& b) { return key(a) < key(b); };
    std::sort(mine.begin(), mine.end(), before);
    std::sort(others.begin(), others.end(), before);
    for (std::size_t i = 0; i < mine.size(); ++i) {
      EXPECT_EQ(mine[i].link, others[i].link) << made.text;
      EXPECT_EQ(mine[i].blocked, others[i].blocked) << made.text;
      EXPECT_EQ(mine[i].blocking, others[i].blocking) << made.text;
      EXPECT_NEAR(mine[i].time, others[i].time, near) << made.text;
      EXPECT_NEAR(mine[i].wait, others[i].wait, near) << made.text;
    }
  }
};

TEST_P(Compare, RandomSchedules) {
  const auto [topology, number, cases] = GetParam();
  const auto switching = static_cast<Switching>(number);
  const bool shares = switching == Switching::share_equal || switching == Switching::share_max_min;
  for (std::uint64_t i = 0; i < cases; ++i) {
    compare(random_case(topology, switching, i), shares ? 1e-3 : 0);
    if (HasFailure()) return;
  }
}

auto all(std::uint64_t cases) {
  return testing::Combine(testing::ValuesIn(topologies), testing::Range(0, 7),
                          testing::Values(cases));
}

std::string name_of(const testing::TestParamInfo<Compare::ParamType>& parameters) {
  std::string name =
      fmt::format("{}_{}", std::get<0>(parameters.param), std::get<1>(parameters.param));
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ':' || c == '/'; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Compare, all(60), name_of);
INSTANTIATE_TEST_SUITE_P(Full, Compare, all(500), name_of);

}  // namespace
}  // namespace tutti::simulate

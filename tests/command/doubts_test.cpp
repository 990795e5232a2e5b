// SPDX-License-Identifier: BSD-3-Clause
// Checks that figures which cannot be true are found, and that possible ones are not reported.
#include "bsp/doubts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tutti {
namespace {

using tools::ProbeData;

// Returns supersteps with messages of one word, which take l + g h seconds.
ProbeData::Series series(double g, double l) {
  ProbeData::Series made{"random", "put", {}};
  for (double count = 1; count <= 64; count *= 2)
    made.samples.push_back({1, count, (l + g * count) / count});
  return made;
}

ProbeData probe() {
  ProbeData data;
  data.processes = 2;
  for (double n = 16; n <= 256; n *= 2) data.speeds.push_back({"dgemm", n, 1e-9 / n});
  data.latencies = {{"no communication", 1e-6}, {"cyclic shift", 2e-6}, {"all-to-all", 2e-6}};
  data.series = {series(1e-8, 1e-6)};
  return data;
}

bool mentions(const std::vector<std::string>& doubts, const std::string& words) {
  return std::any_of(doubts.begin(), doubts.end(), [&](const std::string& doubt) {
    return doubt.find(words) != std::string::npos;
  });
}

TEST(Doubts, AGoodProbeHasNone) {
  EXPECT_TRUE(tools::doubts_of(probe()).empty());
}

TEST(Doubts, NoLineFalls) {
  ProbeData data = probe();
  data.series.push_back(series(-1e-8, 1e-6));
  data.series.push_back(series(1e-6, -1e-7));
  EXPECT_TRUE(tools::line_is_usable(tools::gap_of(data.series[0].samples)));
  EXPECT_FALSE(tools::line_is_usable(tools::gap_of(data.series[1].samples)));
  EXPECT_FALSE(tools::line_is_usable(tools::gap_of(data.series[2].samples)));
  EXPECT_TRUE(mentions(tools::doubts_of(data), "fit of put, random: g -10.0 ns"));
}

TEST(Doubts, NoSpeedIsManyTimesBelowThoseBesideIt) {
  ProbeData data = probe();
  data.speeds[2].seconds *= 12;
  EXPECT_FALSE(tools::speed_is_usable(data, 2));
  EXPECT_TRUE(tools::speed_is_usable(data, 1));
  EXPECT_TRUE(tools::speed_is_usable(data, 3));
  EXPECT_TRUE(mentions(tools::doubts_of(data), "dgemm of n = 64 is many times slower"));
  ProbeData memory = probe();  // vectors that leave the cache
  memory.speeds.back().seconds = memory.speeds.front().seconds * 6;
  memory.speeds[3].seconds = memory.speeds.front().seconds * 3;
  EXPECT_TRUE(tools::speed_is_usable(memory, 3));
}

TEST(Doubts, CommunicationDoesNotMakeASuperstepShorter) {
  ProbeData data = probe();
  data.latencies[0].second = 20e-6;
  EXPECT_TRUE(mentions(tools::doubts_of(data), "a superstep after cyclic shift takes 2.000 us"));
}

TEST(Doubts, ABusyMachineIsSaidByTheFile) {
  ProbeData data = probe();
  data.busy = "other processes used 1.3 of 2 processors";
  ProbeData again;
  std::string lines = data.lines();
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = lines.find('\n', at);
    again.add(lines.substr(at, end - at));
    at = end + 1;
  }
  EXPECT_EQ(again.busy, data.busy);
  EXPECT_TRUE(mentions(tools::doubts_of(again), "busy: other processes"));
  EXPECT_EQ(tools::probe_json(again, "x")["busy"], data.busy);
  EXPECT_TRUE(tools::probe_json(probe(), "x")["busy"].is_null());
}

TEST(Doubts, AProfileWhoseTimeIsInAFewSupersteps) {
  std::vector<tools::ProfiledStep> steps(100);
  for (tools::ProfiledStep& step : steps) {
    step.cost.measured = 1e-6;
    step.site = "a";
  }
  steps[7].site = "b";
  steps[7].cost.measured = 1e-3;  // the only one of its site may take that long
  EXPECT_TRUE(tools::doubts_of(steps).empty());
  steps[8].cost.measured = 1e-2;
  EXPECT_TRUE(
      mentions(tools::doubts_of(steps), "1 of 100 supersteps took more than 10 times the median"));
  EXPECT_TRUE(tools::doubts_of(std::vector<tools::ProfiledStep>()).empty());
}

TEST(Doubts, APredictionThatIsFarFromWhatWasMeasured) {
  EXPECT_EQ(tools::doubt_of(1, 2), "");
  EXPECT_EQ(tools::doubt_of(2, 1), "");
  EXPECT_NE(tools::doubt_of(0.01, 1), "");
  EXPECT_NE(tools::doubt_of(1, 0.01), "");
  EXPECT_EQ(tools::doubt_of(1, 0), "");  // nothing was measured
}

}  // namespace
}  // namespace tutti

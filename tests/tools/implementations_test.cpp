// SPDX-License-Identifier: BSD-3-Clause
// Tests the implementations of paper 004: the table, the partitions, simulated times against the
// laws, and the observations in section 6 of the paper.
#include "simulation/implementations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/error.hpp"
#include "simulation/case.hpp"
#include "support/sizes.hpp"

namespace tutti::tools {
namespace {

machine::Machine cube(int dimension) {
  return machine::load_machine("ipsc860", {"hypercube:" + std::to_string(dimension)});
}

Extent blocks_of(std::int64_t bytes, int ranks) {
  return Sizes{Sizes::Of::block, {bytes}}.extent(0, schedule::Operation::alltoall, ranks);
}

Outcome run(const std::string& name, const machine::Machine& machine, std::int64_t block,
            int runs = 1, std::optional<Sync> sync = std::nullopt) {
  Candidate candidate;
  candidate.name = name;
  candidate.exchange = exchange_named(name);
  Setting setting;
  setting.machine = machine;
  setting.ranks = machine.network.topology->nodes();
  setting.runs = runs;
  setting.sync = sync;
  return simulated(candidate, setting, blocks_of(block, setting.ranks));
}

double time_of(const std::string& name, const machine::Machine& machine, std::int64_t block) {
  return run(name, machine, block).most;
}

TEST(Implementations, Names) {
  for (const Implementation& implementation : implementations())
    EXPECT_EQ(exchange_named(implementation.name).name(), implementation.name);
  EXPECT_EQ(exchange_named("multiphase_F:3+2+2").partition, (std::vector<int>{3, 2, 2}));
  EXPECT_EQ(exchange_named("multiphase_U:4").name(), "multiphase_U:4");
  for (const char* wrong : {"", "pairwise", "linear:3", "multiphase_F:", "multiphase_F:3+",
                            "multiphase_F:0", "multiphase_F:3..4", "multiphase_F:3x2"})
    EXPECT_THROW((void)exchange_named(wrong), base::Error) << wrong;
}

TEST(Implementations, Partitions) {
  constexpr std::size_t counts[] = {1, 1, 2, 3, 5, 7, 11, 15, 22};
  for (int number = 1; number <= 8; ++number) {
    const auto all = partitions(number);
    EXPECT_EQ(all.size(), counts[number]);
    EXPECT_EQ(std::set<std::vector<int>>(all.begin(), all.end()).size(), all.size());
    for (const auto& parts : all) {
      EXPECT_EQ(std::accumulate(parts.begin(), parts.end(), 0), number);
      EXPECT_TRUE(std::is_sorted(parts.rbegin(), parts.rend()));
    }
  }
}

TEST(Implementations, Sizes) {
  using Values = std::vector<std::int64_t>;
  EXPECT_EQ(sizes_named("1..64", {"--bytes"}), (Values{1, 2, 4, 8, 16, 32, 64}));
  EXPECT_EQ(sizes_named("0..3,1K", {"--bytes"}), (Values{0, 1, 2, 3, 1024}));
  EXPECT_EQ(sizes_named("8..1K", {"--bytes", 8, 8}), (Values{8, 64, 512, 1024}));
  for (const char* wrong : {"", "x", "4..2", "1..", "-1", "1,,2"})
    EXPECT_THROW((void)sizes_named(wrong, {"--bytes"}), base::Error) << wrong;
  EXPECT_THROW((void)sizes_named("12", {"--bytes", 8, 8}), base::Error);
  EXPECT_EQ(numbers_named("3..7"), std::pair(3, 7));
  EXPECT_EQ(numbers_named("5"), std::pair(5, 5));
  EXPECT_EQ(number_list("8,1..3,2"), (std::vector<int>{1, 2, 3, 8}));
  EXPECT_FALSE(number_list("1,,2"));
  EXPECT_FALSE(number_list("0..2000000000"));
  for (const char* wrong : {"", "7..3", "-1", "1..", "..2", "1.5"})
    EXPECT_FALSE(numbers_named(wrong)) << wrong;
}

// A vector has p blocks if the operation has blocks, else one. If p does not divide its length, one
// block is longer.
TEST(Implementations, VectorsAndBlocks) {
  using enum schedule::Operation;
  const Sizes vectors{Sizes::Of::vector, {4096, 10}}, blocks{Sizes::Of::block, {512}};
  EXPECT_EQ(vectors.extent(0, allgather, 8), (Extent{4096, 512}));
  EXPECT_EQ(blocks.extent(0, allgather, 8), (Extent{4096, 512}));
  EXPECT_EQ(vectors.extent(0, allreduce, 8), (Extent{4096, 4096}));
  EXPECT_EQ(blocks.extent(0, allreduce, 8), (Extent{512, 512}));
  EXPECT_EQ(vectors.extent(1, gather, 4), (Extent{10, 3}));
  EXPECT_EQ(blocks.extent(0, barrier, 8), (Extent{0, 0}));
  EXPECT_EQ(equal_blocks(vectors.extent(1, gather, 4), gather, 4, 8), (Extent{32, 8}));
  EXPECT_EQ(equal_blocks(vectors.extent(1, reduce, 4), reduce, 4, 8), (Extent{16, 16}));
  EXPECT_THROW((void)(Sizes{Sizes::Of::block, {std::int64_t{1} << 60}}.extent(0, alltoall, 16)),
               base::Error);
}

TEST(Implementations, NeedAPowerOfTwo) {
  const machine::Machine machine = cube(3);
  for (const int ranks : {1, 3, 6})
    EXPECT_THROW((void)scene_of(exchange_named("pairwise_F"), machine, ranks, 8, Sync::pair),
                 base::Error);
  EXPECT_THROW((void)scene_of(exchange_named("multiphase_F:3+1"), machine, 8, 8, Sync::pair),
               base::Error);
}

// All pairs that exchange in step u are at the same distance, and no two share a link. So the laws
// hold exactly.
TEST(Implementations, PairwiseExchangesTakeWhatTheLawsSay) {
  for (int dimension = 1; dimension <= 6; ++dimension) {
    for (const std::int64_t block : {1, 100, 101, 4096}) {
      std::vector<std::string> names{"pairwise_F", "standard_F", "pairwise_U", "standard_U"};
      for (const auto& partition : partitions(dimension)) {
        Exchange exchange = exchange_named("multiphase_F");
        exchange.partition = partition;
        names.push_back(exchange.name());
      }
      for (const std::string& name : names) {
        const Outcome outcome = run(name, cube(dimension), block);
        EXPECT_EQ(outcome.report.contentions, 0) << name;
        EXPECT_NEAR(outcome.report.time, *outcome.formula, 1e-6 * *outcome.formula)
            << name << ", d = " << dimension << ", " << block << " bytes";
      }
    }
  }
}

// By section 2.2, an unforced message beyond 100 bytes takes 164 + 0.398 m + 29.9 d. Here it asks
// and is answered, and the time is within 6 %. With one exchange between two ranks, pairwise_U is
// one message each way.
TEST(Observations, UnforcedMessagesFollowTheirLaw) {
  for (const std::int64_t bytes : {101, 400, 1000, 4096}) {
    const double law = 164 + 0.398 * static_cast<double>(bytes) + 29.9;
    EXPECT_NEAR(time_of("pairwise_U", cube(1), bytes) / law, 1, 0.06) << bytes;
  }
}

// A machine of paper 004 as the paper observed it: programs start within a fifth of a millisecond.
// Start-ups vary by less than the time that may lie between two messages which still overlap. Both
// numbers are ours.
machine::Machine observed(int dimension) {
  machine::Machine machine = cube(dimension);
  machine.node.drift = 200;
  machine.node.noise = 8;
  return machine;
}

double worst(const std::string& name, int dimension, std::int64_t block) {
  return run(name, observed(dimension), block, 5).most;
}

// Returns the fastest of the paper's six implementations, by the longest of several times, as the
// paper compares.
std::string best_of(int dimension, std::int64_t block) {
  std::string best;
  double least = 0;
  for (const Implementation& implementation : implementations()) {
    if (implementation.phases == Implementation::Phases::partition ||
        implementation.name == std::string("naive"))
      continue;
    const double time = worst(implementation.name, dimension, block);
    if (best.empty() || time < least) {
      best = implementation.name;
      least = time;
    }
  }
  return best;
}

// Paper 004, 6.5, says which implementations are best for small and large messages. The paper has
// pairwise_U first for two dimensions, too. Here a shuffle of few bytes costs almost nothing, and
// standard_U comes first.
TEST(Observations, Regions) {
  EXPECT_EQ(best_of(1, 1), "pairwise_U");
  EXPECT_EQ(best_of(1, 64), "pairwise_U");
  EXPECT_EQ(best_of(1, 512), "linear");
  EXPECT_EQ(best_of(2, 64), "pairwise_U");
  for (int d = 2; d <= 6; ++d) EXPECT_EQ(best_of(d, 4096), "pairwise_F") << d;
  for (int d = 3; d <= 6; ++d) EXPECT_EQ(best_of(d, 1), "standard_U") << d;
}

// By section 6.1, unforced messages above 100 bytes cost more. The standard exchange sends blocks
// together.
TEST(Observations, JumpsWhereUnforcedMessagesReserve) {
  for (int d = 1; d <= 5; ++d) {
    const auto jump = [&](const char* name, std::int64_t last) {
      return (time_of(name, cube(d), last + 1) - time_of(name, cube(d), last)) /
             (time_of(name, cube(d), last) - time_of(name, cube(d), last - 1));
    };
    EXPECT_GT(jump("pairwise_U", 100), 50) << d;
    EXPECT_LT(jump("pairwise_U", 90), 2) << d;
    EXPECT_GT(jump("standard_U", 100 >> (d - 1)), 4) << d;
    EXPECT_LT(jump("pairwise_F", 100), 2) << d;
  }
}

// The statement of section 6.4 holds here, although nothing makes exchanges serial.
TEST(Observations, UnsynchronisedPairsTakeHalfTheTimeBelow100Bytes) {
  for (int d = 2; d <= 7; ++d) {
    const double ratio = time_of("pairwise_F", cube(d), 64) / time_of("pairwise_U", cube(d), 64);
    EXPECT_GT(ratio, 1.75) << d;
    EXPECT_LT(ratio, 2.5) << d;
  }
}

// Figures 12 and 13 show that pairwise synchronisation makes times alike.
TEST(Observations, PairwiseSynchronisationMakesTimesAlike) {
  const auto spread = [](const char* name, std::int64_t block, Sync sync) {
    const Outcome outcome = run(name, observed(5), block, 10, sync);
    return outcome.most - outcome.least;
  };
  for (const std::int64_t block : {512, 1024, 4096}) {
    const double synchronised = spread("pairwise_F", block, Sync::pair);
    EXPECT_LT(synchronised, 200) << block;  // that of the start, whatever the size
    EXPECT_GT(spread("pairwise_F", block, Sync::barrier), 5 * synchronised) << block;
    EXPECT_GT(spread("linear", block, Sync::barrier), 5 * synchronised) << block;
  }
  EXPECT_GT(spread("pairwise_F", 4096, Sync::barrier),
            2 * spread("pairwise_F", 1024, Sync::barrier));
}

// By section 6.3, ranks drift apart because of the time that links add, and stable tolerates that.
// Nodes may do several things at once (2.3: sharing a node costs nothing). The idle step is a whole
// transmission. So stable is ahead for blocks up to a size, which grows with the dimension; without
// the idle step, it is always ahead.
TEST(Observations, StableIsBetterThanLinear) {
  const auto concurrent = [](int dimension) {
    machine::Machine machine = cube(dimension);
    machine.node.ports = machine::Ports::unlimited;
    return machine;
  };
  const auto expect_order = [&](int d, std::int64_t block) {
    const double linear = time_of("linear", concurrent(d), block),
                 stable = time_of("stable", concurrent(d), block);
    EXPECT_LT(stable, linear) << d << ", " << block;
    EXPECT_LT(run("pairwise_F", concurrent(d), block, 1, Sync::barrier).most, stable)
        << d << ", " << block;
  };
  for (const std::int64_t block : {1, 16, 64}) expect_order(5, block);
  for (const std::int64_t block : {1, 64, 256, 1024}) expect_order(6, block);
  for (const std::int64_t block : {1, 64, 256, 1024, 4096}) expect_order(7, block);
  for (int d = 5; d <= 7; ++d) {
    Scene scene = scene_of(exchange_named("stable"), concurrent(d), 1 << d, 1024, Sync::barrier);
    std::get<simulate::Operations>(scene.job.phases.back()).all.front().idle = 0;
    const simulate::Report stable = simulate::simulate(scene.machine, scene.job);
    const Outcome linear = run("linear", concurrent(d), 1024);
    EXPECT_LT(stable.time, linear.most) << d;
    EXPECT_LT(stable.contentions, linear.report.contentions) << d;
  }
}

// These partitions are best by the formula of multiphase exchange with the same constants. At 40
// bytes and 128 ranks, the best multiphase exchange takes about half as long as the better of its
// two extremes.
TEST(Observations, MultiphaseExchanges) {
  const auto best = [](int dimension, std::int64_t block) {
    Candidate candidate;
    candidate.exchange = exchange_named("multiphase_F");
    candidate.best_partition = true;
    Setting setting;
    setting.machine = cube(dimension);
    setting.ranks = 1 << dimension;
    return simulated(candidate, setting, blocks_of(block, setting.ranks));
  };
  EXPECT_EQ(best(5, 8).name, "multiphase_F:1+1+1+1+1");
  EXPECT_EQ(best(5, 20).name, "multiphase_F:2+2+1");
  EXPECT_EQ(best(5, 64).name, "multiphase_F:3+2");
  EXPECT_EQ(best(5, 200).name, "multiphase_F:5");
  const Outcome seven = best(7, 40);
  EXPECT_EQ(seven.name, "multiphase_F:4+3");
  const double extremes =
      std::min(time_of("pairwise_F", cube(7), 40), time_of("standard_F", cube(7), 40));
  EXPECT_LT(seven.most, 0.6 * extremes);
}

}  // namespace
}  // namespace tutti::tools

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

// Returns the machine without drift and noise, as the laws describe it.
machine::Machine undisturbed(int dimension) {
  machine::Machine machine = cube(dimension);
  machine.node.drift = machine.node.noise = 0;
  return machine;
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
// hold exactly on circuits, where a sender is busy until its message has arrived.
TEST(Implementations, PairwiseExchangesTakeWhatTheLawsSay) {
  for (int dimension = 1; dimension <= 6; ++dimension) {
    machine::Machine machine = undisturbed(dimension);
    machine.network.switching = machine::Switching::circuit;
    for (const std::int64_t block : {1, 100, 101, 4096}) {
      std::vector<std::string> names{"pairwise_F", "standard_F", "pairwise_U", "standard_U"};
      for (const auto& partition : partitions(dimension)) {
        Exchange exchange = exchange_named("multiphase_F");
        exchange.partition = partition;
        names.push_back(exchange.name());
      }
      for (const std::string& name : names) {
        const Outcome outcome = run(name, machine, block);
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
    EXPECT_NEAR(time_of("pairwise_U", undisturbed(1), bytes) / law, 1, 0.06) << bytes;
  }
}

constexpr int runs = 5;

double worst(const std::string& name, int dimension, std::int64_t block) {
  return run(name, cube(dimension), block, runs).most;
}

using Names = std::vector<std::string>;

// Unforced messages lie up to 2 % off their law, so that times which lie closer together are a tie.
constexpr double error_of_model = 0.02;

// Returns the fastest of the paper's six implementations, by the longest of several times, as the
// paper compares, and those that tie with it.
Names leaders(int dimension, std::int64_t block) {
  std::vector<std::pair<std::string, double>> times;
  for (const Implementation& implementation : implementations()) {
    if (implementation.phases == Implementation::Phases::partition ||
        implementation.name == std::string("naive"))
      continue;
    times.emplace_back(implementation.name, worst(implementation.name, dimension, block));
  }
  const auto shorter = [](const auto& a, const auto& b) { return a.second < b.second; };
  const double least = std::ranges::min_element(times, shorter)->second;
  Names names;
  for (const auto& [name, time] : times)
    if ((1 - error_of_model) * time <= least) names.push_back(name);
  return names;
}

// Paper 004, 6.2 and 6.5, says which implementations are best for small and large messages. The
// machine's numbers are fitted to what it says of the dimensions 3, 5 and 7, and to where
// standard_F is the best. All else follows. At 16 bytes standard_F ties with standard_U for
// dimension 6.
TEST(Observations, Regions) {
  const auto alone = [](const char* name) { return Names{name}; };
  for (const std::int64_t block : {1, 8, 64}) EXPECT_EQ(leaders(1, block), alone("pairwise_U"));
  for (const std::int64_t block : {512, 4096})
    EXPECT_EQ(leaders(1, block), alone("linear")) << block;
  for (const std::int64_t block : {1, 8, 64}) EXPECT_EQ(leaders(2, block), alone("pairwise_U"));
  for (int d = 2; d <= 7; ++d) EXPECT_EQ(leaders(d, 4096), alone("pairwise_F")) << d;
  for (int d = 3; d <= 7; ++d) EXPECT_EQ(leaders(d, 1), alone("standard_U")) << d;
  for (const std::int64_t block : {8, 16, 32})
    for (int d = 1; d <= 6; ++d)
      EXPECT_NE(leaders(d, block), alone("standard_F")) << d << ", " << block;
  EXPECT_EQ(leaders(6, 16), (Names{"standard_F", "standard_U"}));
  EXPECT_EQ(leaders(7, 16), alone("standard_F"));
}

// By section 6.1, unforced messages above 100 bytes cost more. The standard exchange sends blocks
// together.
TEST(Observations, JumpsWhereUnforcedMessagesReserve) {
  for (int d = 1; d <= 5; ++d) {
    const auto jump = [&](const char* name, std::int64_t last) {
      return (time_of(name, undisturbed(d), last + 1) - time_of(name, undisturbed(d), last)) /
             (time_of(name, undisturbed(d), last) - time_of(name, undisturbed(d), last - 1));
    };
    EXPECT_GT(jump("pairwise_U", 100), 50) << d;
    EXPECT_LT(jump("pairwise_U", 90), 2) << d;
    EXPECT_GT(jump("standard_U", 100 >> (d - 1)), 4) << d;
    EXPECT_LT(jump("pairwise_F", 100), 2) << d;
  }
}

// By section 6.4, pairwise_U is about twice as fast. Its pairs receive in each step, and the noise
// of a start-up is below the window, so that few of their exchanges are serial.
TEST(Observations, UnsynchronisedPairsTakeHalfTheTimeBelow100Bytes) {
  for (int d = 2; d <= 7; ++d) {
    for (const std::int64_t block : {1, 16, 64}) {
      const double ratio = worst("pairwise_F", d, block) / worst("pairwise_U", d, block);
      EXPECT_GT(ratio, 1.5) << d << ", " << block;
      EXPECT_LT(ratio, 2.5) << d << ", " << block;
    }
  }
}

// Figures 12 and 13 show that pairwise synchronisation makes times alike.
TEST(Observations, PairwiseSynchronisationMakesTimesAlike) {
  const auto spread = [](const char* name, std::int64_t block, Sync sync) {
    const Outcome outcome = run(name, cube(5), block, 10, sync);
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

// By section 6.3, the longest time of stable is shorter than that of linear for most sizes,
// although it has one step more. Figure 12 says the same of the means.
TEST(Observations, StableIsBetterThanLinear) {
  for (int d = 5; d <= 7; ++d) {
    int won = 0, sizes = 0;
    for (std::int64_t block = 1; block <= 4096; block *= 16, ++sizes)
      won += worst("stable", d, block) < worst("linear", d, block) ? 1 : 0;
    EXPECT_GT(2 * won, sizes) << d;
  }
  EXPECT_LT(run("stable", cube(5), 1000, 10).mean, run("linear", cube(5), 1000, 10).mean);
}

// These partitions are best by the formula of multiphase exchange with the constants that are
// recalled from the report on it. At 40 bytes and 128 ranks, the best multiphase exchange takes
// about half as long as the better of its two extremes.
TEST(Observations, MultiphaseExchanges) {
  const auto recalled = [](int dimension) {
    machine::Machine machine = undisturbed(dimension);
    machine.node.copy_alpha = 0;
    machine.synchronisation.barrier_dimension = 150;
    machine.synchronisation.pair = 82.5;
    return machine;
  };
  const auto best = [&](int dimension, std::int64_t block) {
    Candidate candidate;
    candidate.exchange = exchange_named("multiphase_F");
    candidate.best_partition = true;
    Setting setting;
    setting.machine = recalled(dimension);
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
      std::min(time_of("pairwise_F", recalled(7), 40), time_of("standard_F", recalled(7), 40));
  EXPECT_LT(seven.most, 0.6 * extremes);
}

}  // namespace
}  // namespace tutti::tools

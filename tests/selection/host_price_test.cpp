// SPDX-License-Identifier: BSD-3-Clause
// Checks the counts behind the price of a plan in shared memory, and the price itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "algorithms/adopted.hpp"
#include "algorithms/registry.hpp"
#include "schedule/host_counts.hpp"
#include "schedule/normalize.hpp"
#include "selection/alternatives.hpp"
#include "selection/host_price.hpp"

namespace tutti {
namespace {

using schedule::HostCounts;
using schedule::Operation;
using schedule::Work;

HostCounts counts_of(Operation operation, const char* name, int p, int root = 0) {
  schedule::Shape shape;
  shape.p = p;
  shape.root = root;
  return schedule::host_counts(*algorithms::find(operation, name), shape);
}

TEST(HostCounts, AFlatBroadcastIsWrittenOnceAndReadByAll) {
  for (int p = 2; p <= 64; ++p) {
    const HostCounts counts = counts_of(Operation::broadcast, "fully_connected", p, p - 1);
    EXPECT_EQ(counts.path, (Work{.written = 1, .read = 1, .posted = p - 1, .taken = 1})) << p;
    EXPECT_EQ(counts.total, (Work{.written = 1, .read = p - 1, .posted = p - 1, .taken = p - 1}))
        << p;
    EXPECT_EQ(counts.waits, p - 1);
    EXPECT_EQ(counts.rounds, 1);
  }
}

TEST(HostCounts, ARingWaitsInEachRound) {
  for (int p = 2; p <= 64; ++p) {
    const HostCounts counts = counts_of(Operation::allgather, "ring", p);
    const std::int64_t steps = p - 1;
    // Each rank also copies its own block into its output.
    EXPECT_EQ(
        counts.path,
        (Work{.written = steps, .read = steps, .copied = 1, .posted = steps, .taken = steps}));
    EXPECT_EQ(counts.total, (Work{.written = p * steps,
                                  .read = p * steps,
                                  .copied = p,
                                  .posted = p * steps,
                                  .taken = p * steps}));
    EXPECT_EQ(counts.waits, p * steps);
    EXPECT_EQ(counts.rounds, steps);
  }
}

TEST(HostCounts, AFlatSumIsCombinedByTheRoot) {
  for (int p = 2; p <= 64; ++p) {
    const HostCounts counts = counts_of(Operation::reduce, "fully_connected", p);
    EXPECT_EQ(counts.path, (Work{.written = 1, .combined = p - 1, .posted = 1, .taken = p - 1}))
        << p;
    EXPECT_EQ(counts.total,
              (Work{.written = p - 1, .combined = p - 1, .posted = p - 1, .taken = p - 1}))
        << p;
    EXPECT_EQ(counts.waits, 1);
  }
}

bool covers(const Work& large, const Work& small) {
  return large.written >= small.written && large.read >= small.read &&
         large.combined >= small.combined && large.copied >= small.copied &&
         large.posted >= small.posted && large.taken >= small.taken;
}

// Blocks that are written, read and copied.
struct Moved {
  std::int64_t written = 0, read = 0, copied = 0;
  friend bool operator==(const Moved&, const Moved&) = default;
};

Moved moved(const Work& work) {
  return {work.written, work.read, work.copied};
}

// Counts the indices one by one.
std::int64_t indices(const schedule::Blocks& blocks) {
  std::int64_t found = 0;
  for (const schedule::Block& block : blocks) {
    for (int run = 0; run < block.times; ++run)
      for (int i = 0; i < block.count; ++i) ++found;
  }
  return found;
}

Moved moved_by(const schedule::Round& round) {
  Moved found;
  for (const schedule::Op& op : round.ops) {
    if (op.what == schedule::Do::send) found.written += indices(op.blocks);
    if (op.what == schedule::Do::receive) found.read += indices(op.blocks);
    if (op.what == schedule::Do::copy) found.copied += indices(op.blocks);
  }
  return found;
}

struct MovedInAll {
  Moved path, total;
};

// Counts what the normal forms of all ranks move, whatever the generator says of its ranks.
MovedInAll moved_by_all(const schedule::Generator& generator, const schedule::Shape& shape) {
  std::vector<schedule::Program> programs;
  for (int rank = 0; rank < shape.p; ++rank)
    programs.push_back(
        schedule::normalized(schedule::build(generator, shape, schedule::Rank{rank})));
  MovedInAll found;
  for (std::size_t t = 0; t < programs.front().size(); ++t) {
    Moved most;
    for (const schedule::Program& program : programs) {
      const Moved here = moved_by(program[t]);
      found.total = {found.total.written + here.written, found.total.read + here.read,
                     found.total.copied + here.copied};
      most = {std::max(most.written, here.written), std::max(most.read, here.read),
              std::max(most.copied, here.copied)};
    }
    found.path = {found.path.written + most.written, found.path.read + most.read,
                  found.path.copied + most.copied};
  }
  return found;
}

void check_counts(const schedule::Generator& generator, const schedule::Shape& shape) {
  SCOPED_TRACE(std::string(generator.name) + " p=" + std::to_string(shape.p));
  const HostCounts counts = schedule::host_counts(generator, shape);
  const MovedInAll expected = moved_by_all(generator, shape);
  EXPECT_EQ(moved(counts.total), expected.total);
  EXPECT_EQ(moved(counts.path), expected.path);
  // The verifier counts messages and combined blocks by other code.
  const schedule::Verdict verdict = schedule::verify_normalized(generator, shape);
  EXPECT_EQ(counts.total.taken, verdict.counts.messages);
  EXPECT_EQ(counts.total.posted, verdict.counts.messages);
  EXPECT_EQ(counts.total.combined, verdict.counts.combines);
  EXPECT_LE(counts.total.written, verdict.counts.volume);
  EXPECT_EQ(counts.rounds, verdict.counts.rounds);
  EXPECT_TRUE(covers(counts.total, counts.path));
  EXPECT_LE(counts.waits, counts.total.taken);
}

class EveryOperationInSharedMemory : public testing::TestWithParam<int> {};

TEST_P(EveryOperationInSharedMemory, CountsWhatItsRanksDo) {
  const auto operation = static_cast<Operation>(GetParam());
  for (int p = 1; p <= 64; ++p) {
    schedule::Shape shape;
    shape.p = p;
    for (const schedule::Generator* generator : algorithms::all()) {
      if (generator->operation == operation && algorithms::is_candidate(*generator) &&
          generator->parameter == schedule::Parameter::none && generator->applies(shape))
        check_counts(*generator, shape);
    }
  }
}

TEST_P(EveryOperationInSharedMemory, CountsWhatRanksDoByAnySettings) {
  for (const int p : {1, 2, 3, 4, 5, 7, 8, 12, 16, 17}) {
    selection::Question question;
    question.operation = static_cast<Operation>(GetParam());
    question.p = p;
    for (const selection::Alternative& a : selection::alternatives(question, {}))
      if (a.settings.segments <= 64) check_counts(*a.generator, a.settings.shape(p, 0));
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryOperationInSharedMemory, testing::Range(0, 11));

TEST(HostPrice, HasRoundsWhereRanksHaveProcessorsAndSharesWorkWhereTheyDoNot) {
  const HostCounts counts{
      .path = {1, 2, 3, 4, 2, 3}, .total = {10, 20, 30, 40, 20, 30}, .waits = 6, .rounds = 7};
  const selection::HostRates rates{.written = 1,
                                   .read = 10,
                                   .combined = 100,
                                   .copied = 1000,
                                   .message = 1e4,
                                   .line = 1e5,
                                   .wait = 1e6,
                                   .round = 1e7};
  const double path = 2 * (1 + 20 + 300 + 4000) + 5e4;
  EXPECT_DOUBLE_EQ(selection::host_times(counts, rates, 2, {4, 4}).total(), path + 7e5);
  const double all = 2 * (10 + 200 + 3000 + 40000) + 50e4;
  EXPECT_DOUBLE_EQ(selection::host_times(counts, rates, 2, {5, 4}).total(), (all + 6e6) / 4 + 7e7);
}

TEST(HostPrice, TakesTheRatesThatAProfileDoesNotGiveFromTheHost) {
  const machine::Profile host = machine::load("host");
  machine::Profile profile = host;
  profile.more.erase("shared_memory.read");
  profile.more.at("shared_memory.line").value = 3;
  const selection::HostRates rates = selection::host_rates_of(profile);
  EXPECT_EQ(rates.line, 3);
  EXPECT_EQ(rates.read, host.more.at("shared_memory.read").value);
}

}  // namespace
}  // namespace tutti

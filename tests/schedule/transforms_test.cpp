// SPDX-License-Identifier: BSD-3-Clause
// Tests the algebra of transforms: which ones undo each other, which results they prove, and in
// which order.
#include "schedule/transforms.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "samples.hpp"
#include "schedule/printer.hpp"
#include "schedule/verifier.hpp"

namespace tutti::schedule {
namespace {

using samples::chain;
using samples::relay;
using samples::star;
using samples::tree;

constexpr Generator chain_in = reverse<chain>("chain");
constexpr Generator tree_in = reverse<tree>("tree");
constexpr Generator star_in = reverse<star>("star");
constexpr Generator relay_in = reverse<relay>("relay");
constexpr Generator chain_again = reverse<chain_in>("chain");
constexpr Generator tree_again = reverse<tree_in>("tree");
constexpr Generator star_again = reverse<star_in>("star");
constexpr Generator relay_again = reverse<relay_in>("relay");

// Returns the program with each multicast written as a send for each receiver.
Program spread(const Program& program) {
  Program result(program.size());
  for (std::size_t t = 0; t < program.size(); ++t) {
    for (const Op& op : program[t].ops) {
      for (int i = 0; i < op.to.count; ++i) {
        const int to = op.to.first + i * op.to.stride;
        if (op.what == Do::send && to != op.to.except) result[t].send(op.blocks, Rank{to});
      }
      if (op.what != Do::send) result[t].ops.push_back(op);
    }
  }
  return result;
}

void expect_same(const Generator& a, const Generator& b) {
  for (int p = 1; p <= 20; ++p) {
    const Shape s{.p = p, .segments = 3};
    ASSERT_EQ(a.operation, b.operation);
    for (int rank = 0; rank < p; ++rank)
      ASSERT_EQ(to_text(spread(build(a, s, Rank{rank}))), to_text(spread(build(b, s, Rank{rank}))))
          << a.name << " p=" << p << " rank=" << rank;
  }
}

std::vector<Verdict> expect_right(const Generator& g, bool any_root = false) {
  std::vector<Verdict> verdicts;
  for (int p = 1; p <= 20; ++p)
    for (int root = 0; root < (any_root ? p : 1); ++root)
      for (const Placement placement : {Placement::separate, Placement::in_place}) {
        verdicts.push_back(verify(g, {.p = p, .root = root, .segments = 3}, placement));
        EXPECT_EQ(verdicts.back().problem, "") << g.name << " p=" << p << " root=" << root;
      }
  return verdicts;
}

TEST(Reverse, TwiceIsIdentity) {
  expect_same(chain, chain_again);
  expect_same(tree, tree_again);
  expect_same(star, star_again);
  expect_same(relay, relay_again);
}

TEST(Reverse, BroadcastBecomesReduceInRankOrder) {
  for (const Generator* g : {&chain_in, &tree_in, &star_in}) {
    EXPECT_EQ(g->operation, Operation::reduce);
    for (const Verdict& verdict : expect_right(*g)) EXPECT_TRUE(verdict.rank_order);
  }
  EXPECT_EQ(to_text(build(tree_in, {.p = 5}, Rank{0})),
            "round 1\n"
            "  copy output[0] = input[0]\n"
            "round 2\n"
            "  receive_combine output[0] = output[0] + from 1 + from 2\n"
            "round 3\n"
            "  receive_combine output[0] = output[0] + from 3\n");
  EXPECT_EQ(to_text(build(star_in, {.p = 3, .root = 1}, Rank{1})),
            "round 1\n"
            "  copy output[0] = input[0]\n"
            "round 2\n"
            "  receive_combine output[0] = from 0 + output[0] + from 2\n");
}

TEST(Reverse, ScatterBecomesGather) {
  EXPECT_EQ(relay_in.operation, Operation::gather);
  expect_right(relay);
  expect_right(relay_in);
}

TEST(Reverse, CostsTheSame) {
  const Counts there = verify(relay, {.p = 9}).counts, back = verify(relay_in, {.p = 9}).counts;
  EXPECT_EQ(there.volume, 36);
  EXPECT_EQ(back.volume, there.volume);
  EXPECT_EQ(back.messages, there.messages);
  EXPECT_EQ(back.rounds, there.rounds);
}

constexpr Generator chain_turned = map_ranks<chain, distance_from_root, rank_at_distance>("turned");
constexpr Generator chain_back =
    map_ranks<chain_turned, rank_at_distance, distance_from_root>("back");
constexpr Generator chain_down = map_ranks<chain, distance_below_root, distance_below_root>("down");
constexpr Generator chain_down_twice =
    map_ranks<chain_down, distance_below_root, distance_below_root>("twice");
constexpr Generator chain_in_turned =
    map_ranks<chain_in, distance_from_root, rank_at_distance>("turned", Operators::commutative);

TEST(MapRanks, MapAndInverseAreIdentity) {
  expect_same(chain, chain_back);
  expect_same(chain, chain_down_twice);
}

TEST(MapRanks, ServesEveryRoot) {
  expect_right(chain_turned, true);
  expect_right(chain_down, true);
  EXPECT_EQ(to_text(build(chain_down, {.p = 4, .root = 1}, Rank{1})),
            "round 1\n  send output[0] to 0\nround 2\nround 3\n");
}

TEST(MapRanks, KeepsTheOrderOfTheNumbering) {
  expect_right(chain_in_turned, true);
  EXPECT_TRUE(verify(chain_in_turned, {.p = 5, .root = 0}).rank_order);
  EXPECT_FALSE(verify(chain_in_turned, {.p = 5, .root = 2}).rank_order);
}

constexpr Generator both_ways = then<tree_in, tree>("tree");
constexpr Generator collect = then<relay_in, chain>("collect");

TEST(Then, ReduceAndBroadcastIsAllreduce) {
  EXPECT_EQ(both_ways.operation, Operation::allreduce);
  for (const Verdict& verdict : expect_right(both_ways))
    EXPECT_TRUE(verdict.same_tree && verdict.rank_order);
  EXPECT_EQ(both_ways.buffers({.p = 4}).scratch, 0);
}

TEST(Then, GatherAndBroadcastIsAllgather) {
  EXPECT_EQ(collect.operation, Operation::allgather);
  expect_right(collect);
  EXPECT_EQ(verify(collect, {.p = 4}).counts.volume, 3 + 2 + 1 + 3 * 4);
}

constexpr Generator chain_chunks = pipelined<chain>("chunks");
constexpr Generator both_ways_chunks = pipelined<both_ways>("chunks");
constexpr Generator relay_chunks = pipelined<relay>("chunks");
constexpr Generator chunks_in = reverse<chain_chunks>("chunks");

TEST(Pipelined, IsRight) {
  expect_right(chain_chunks);
  expect_right(both_ways_chunks);
  expect_right(relay_chunks);
  for (const Verdict& verdict : expect_right(chunks_in)) EXPECT_TRUE(verdict.rank_order);
}

TEST(Pipelined, TakesOneRoundMorePerChunk) {
  for (const int segments : {1, 2, 7}) {
    const Verdict verdict = verify(chain_chunks, {.p = 6, .segments = segments});
    EXPECT_EQ(verdict.counts.rounds, 5 + segments - 1);
    EXPECT_EQ(verdict.counts.messages, 5 * segments);
    EXPECT_TRUE(verdict.one_port);
  }
  EXPECT_EQ(to_text(build(relay_chunks, {.p = 3, .segments = 2}, Rank{0})),
            "round 1\n"
            "  send input[2 step 2 times 2] to 1\n"
            "  copy output[0] = input[0]\n"
            "round 2\n"
            "  send input[3 step 2 times 2] to 1\n"
            "  copy output[1] = input[1]\n"
            "round 3\n"
            "round 4\n");
}

constexpr Generator one_chunk = pipelined<relay>("relay");
TEST(Pipelined, WithOneChunkIsIdentity) {
  for (int rank = 0; rank < 5; ++rank) {
    const Shape s{.p = 5};
    const auto plain = verify(relay, s).counts, chunked = verify(one_chunk, s).counts;
    EXPECT_EQ(plain.volume, chunked.volume);
    EXPECT_EQ(build(relay, s, Rank{rank}).size(), build(one_chunk, s, Rank{rank}).size());
  }
}

}  // namespace
}  // namespace tutti::schedule

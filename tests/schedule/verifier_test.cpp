// SPDX-License-Identifier: BSD-3-Clause
// Checks that wrong schedules are rejected with the right reason, and that properties are derived
// rightly.
#include "schedule/verifier.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "reason.hpp"
#include "samples.hpp"
#include "schedule/printer.hpp"
#include "schedule/transforms.hpp"

namespace tutti::schedule {
namespace {

using handmade::in;
using handmade::out;
using handmade::Programs;
using handmade::reason;
using handmade::scratch;
using samples::chain;
using samples::relay;
using samples::tree;

constexpr Generator tree_in = reverse<tree>("tree");
constexpr Generator both_ways = then<tree_in, tree>("tree");

Programs programs_of(const Generator& g, const Shape& s) {
  Programs programs;
  for (int rank = 0; rank < s.p; ++rank) programs.push_back(build(g, s, Rank{rank}));
  return programs;
}

// Changes the programs of a right schedule into wrong ones and returns the verifier's reason.
std::string reason(const Generator& g, const Shape& s, const std::function<void(Programs&)>& spoil,
                   Placement placement = Placement::separate) {
  Programs programs = programs_of(g, s);
  EXPECT_EQ(verify(g.operation, s, g.buffers(s), programs, placement).problem, "");
  spoil(programs);
  return verify(g.operation, s, g.buffers(s), programs, placement).problem;
}

TEST(Rejects, WrongPartner) {
  EXPECT_EQ(reason(chain, {.p = 4}, [](Programs& p) { p[1][1].ops[0].to.first = 3; }),
            "round 2 (t = 1): rank 2: receive output[0] from 1: rank 1 sends no such message in "
            "this round");
}

TEST(Rejects, DroppedRound) {
  EXPECT_EQ(reason(tree, {.p = 9}, [](Programs& p) { p[3].erase(p[3].begin()); }),
            "round 1 (t = 0): rank 3: send output[0] to 4: block 0 is not held");
  EXPECT_EQ(reason(chain, {.p = 4}, [](Programs& p) { p[2][2].ops.clear(); }),
            "round 3 (t = 2): rank 3: receive output[0] from 2: rank 2 sends no such message in "
            "this round");
}

TEST(Rejects, RoundDroppedByEverybody) {
  EXPECT_EQ(reason(tree, {.p = 9},
                   [](Programs& p) {
                     for (Program& program : p) program.pop_back();
                   }),
            "result: output[0] of rank 1 holds nothing, not the input of rank 0");
}

TEST(Rejects, LateReceive) {
  EXPECT_EQ(reason(chain, {.p = 3},
                   [](Programs& p) {
                     p[2][1].ops.clear();
                     p[2].push_back(Round{});
                     p[2][2].receive({out}, Rank{1});
                   }),
            "round 2 (t = 1): rank 1 sends to rank 2, which does not receive it in this round");
}

TEST(Rejects, DoubleSend) {
  EXPECT_EQ(
      reason(chain, {.p = 3}, [](Programs& p) { p[0][0].ops.push_back(p[0][0].ops[0]); }),
      "round 1 (t = 0): rank 0: send output[0] to 1: a second message to rank 1 in the round");
}

TEST(Rejects, DoubleContribution) {
  EXPECT_EQ(
      reason(tree_in, {.p = 3},
             [](Programs& p) {
               p[0][1].ops[0].operands.push_back(local({{Buffer::input, 0}}));
             }),
      "result: output[0] of rank 0 holds the contributions of ranks 0-2; more than once: rank 0");
}

TEST(Rejects, MissingContribution) {
  EXPECT_EQ(reason(Operation::reduce, {1, 1, 0},
                   {Program{Round{{{Do::copy, {out}, {}, {local({in})}}}}}, Program{}}),
            "result: output[0] of rank 0 holds the contribution of rank 0 only; missing: rank 1");
}

TEST(Rejects, OffByOneBlock) {
  EXPECT_EQ(
      reason(relay, {.p = 3}, [](Programs& p) { p[0][0].ops[0].blocks[0].first = 0; }),
      "round 1 (t = 0): rank 1: receive output[0], scratch[2] from 0: the message has the size of "
      "part 0 where part 1 is expected");
  EXPECT_EQ(reason(relay, {.p = 3}, [](Programs& p) { p[0][0].ops[0].blocks[0].count = 1; }),
            "round 1 (t = 0): rank 1: receive output[0], scratch[2] from 0: the message has 1 "
            "blocks where "
            "2 are expected");
  EXPECT_EQ(reason(relay, {.p = 3}, [](Programs& p) { p[0][0].ops[0].blocks[0].first = 2; }),
            "round 1 (t = 0): rank 0: send input[2..3] to 1: there is no block 3 in a buffer of 3");
}

TEST(Rejects, BlockOfAnotherRank) {
  // All p parts have the same size, so only the result shows that the exchange has the wrong
  // blocks.
  Programs programs(2, Program(1));
  for (int me : {0, 1}) {
    Round& round = programs[static_cast<std::size_t>(me)][0];
    round.send({{Buffer::input, me}}, Rank{1 - me});
    round.receive({{Buffer::output, 1 - me}}, Rank{1 - me});
    round.copy({{Buffer::output, me}}, {{Buffer::input, me}});
  }
  EXPECT_EQ(reason(Operation::alltoall, {2, 2, 0, 2}, programs),
            "result: output[1] of rank 0 holds part 1 of rank 1, not part 0 of rank 1");
}

TEST(Rejects, WritingInput) {
  EXPECT_EQ(reason(tree_in, {.p = 2}, [](Programs& p) { p[1][0].copy({in}, {scratch}); }),
            "round 1 (t = 0): rank 1: copy input[0] = scratch[0]: input is never written");
}

TEST(Rejects, OutputThatOnlyTheRootHas) {
  EXPECT_EQ(
      reason(tree_in, {.p = 2}, [](Programs& p) { p[1][0].copy({out}, {in}); }),
      "round 1 (t = 0): rank 1: copy output[0] = input[0]: there is no block 0 in a buffer of 0");
}

TEST(Rejects, SelfAndStrangers) {
  EXPECT_EQ(reason(chain, {.p = 2}, [](Programs& p) { p[0][0].send({out}, Rank{0}); }),
            "round 1 (t = 0): rank 0: send output[0] to 0: a rank cannot send to itself");
  EXPECT_EQ(reason(chain, {.p = 2}, [](Programs& p) { p[0][0].send({out}, Rank{2}); }),
            "round 1 (t = 0): rank 0: send output[0] to 2: there is no rank 2");
}

// Returns programs of two ranks that exchange and add blocks in two rounds. In the first, the block
// is 0. In the second (number 1 from 0), the ranks send `sent_in_round_1` and add to block 1.
Programs add_two_blocks(int sent_in_round_1) {
  Programs programs(2, Program(2));
  for (int me : {0, 1}) {
    for (int block : {0, 1}) {
      Round& round = programs[static_cast<std::size_t>(me)][static_cast<std::size_t>(block)];
      std::vector<Operand> sum{local({{Buffer::input, block}}), remote(Rank{1 - me})};
      if (me == 1) std::swap(sum[0], sum[1]);
      round.send({{Buffer::input, block == 1 ? sent_in_round_1 : 0}}, Rank{1 - me});
      round.receive_combine({{Buffer::output, block}}, sum);
    }
  }
  return programs;
}

TEST(Rejects, ReadAfterOverwriteInPlace) {
  const Buffers buffers{2, 2, 0, 2};
  EXPECT_EQ(reason(Operation::allreduce, buffers, add_two_blocks(1)), "");
  EXPECT_EQ(reason(Operation::allreduce, buffers, add_two_blocks(1), Placement::in_place), "");
  EXPECT_EQ(reason(Operation::allreduce, buffers, add_two_blocks(0), Placement::in_place),
            "round 2 (t = 1): rank 0: send input[0] to 1: input[0] has been overwritten in place");
}

TEST(Rejects, ReceiveCombineWithoutAMessage) {
  Programs programs(1, Program(1));
  programs[0][0].receive_combine({out}, {local({in})});
  EXPECT_EQ(reason(Operation::allreduce, {1, 1, 0}, programs),
            "round 1 (t = 0): rank 0: receive_combine output[0] = input[0]: receives no message");
}

// Packets do not say to which message of an operation they belong.
TEST(Rejects, TwoMessagesOfAPairInARound) {
  Programs programs(2, Program(1));
  for (int block : {0, 1}) {
    programs[0][0].send({{Buffer::output, block}}, Rank{1});
    programs[1][0].receive({{Buffer::output, block}}, Rank{0});
  }
  EXPECT_EQ(
      reason(Operation::broadcast, {0, 2, 0, 2}, programs),
      "round 1 (t = 0): rank 0: send output[1] to 1: a second message to rank 1 in the round");
}

// Both sides cut alike into finer parts what one rank has for another one, so a part goes to
// one of its size.
TEST(Rejects, ACompleteExchangeOfFinerPartsInAnotherOrder) {
  EXPECT_EQ(reason(Operation::alltoall, {3, 3, 0, 3}, Programs(2)),
            "buffers: 3 parts cannot be divided among 2 ranks");
  const auto exchange = [](const Blocks& received) {
    Programs programs(2, Program(1));
    for (const int me : {0, 1}) {
      const int other = 1 - me;
      Round& round = programs[static_cast<std::size_t>(me)][0];
      round.copy({{Buffer::output, 2 * me, 2}}, {{Buffer::input, 2 * me, 2}});
      round.send({{Buffer::input, 2 * other, 2}}, Rank{other});
      round.receive(me == 0 ? received : Blocks{{Buffer::output, 0, 2}}, Rank{other});
    }
    return reason(Operation::alltoall, {4, 4, 0, 4}, programs);
  };
  EXPECT_EQ(exchange({{Buffer::output, 2, 2}}), "");
  EXPECT_EQ(exchange({{Buffer::output, 3}, {Buffer::output, 2}}),
            "round 1 (t = 0): rank 0: receive output[3], output[2] from 1: the message has the "
            "size of part "
            "0 where part 3 is expected");
}

TEST(Rejects, BuffersOfAnotherOperation) {
  EXPECT_EQ(reason(Operation::allgather, {2, 2, 0, 2}, Programs(2)),
            "buffers: input or output is a rank's own part in another operation");
  EXPECT_EQ(reason(Operation::allgather, {1, 3, 0, 3, true}, Programs(2)),
            "buffers: 3 parts cannot be divided among 2 ranks");
}

// A ring that forwards the sum in place of what it has received. The trees that it makes share
// subtrees, and have more leaves than anybody can look at.
TEST(Rejects, ARingThatForwardsTheSum) {
  constexpr int p = 64;
  Programs programs(p, Program(p - 1));
  for (int me = 0; me < p; ++me) {
    for (int t = 0; t < p - 1; ++t) {
      Round& round = programs[static_cast<std::size_t>(me)][static_cast<std::size_t>(t)];
      round.send({t == 0 ? in : out}, Rank{mod(me + 1, p)});
      round.receive_combine({out}, {remote(Rank{mod(me - 1, p)}), local({t == 0 ? in : out})});
    }
  }
  const std::string problem = reason(Operation::allreduce, {1, 1, 0}, programs);
  EXPECT_EQ(problem,
            "result: output[0] of rank 0 holds 2305843009213693952 contributions, not one of each "
            "of ranks 0-63");
}

TEST(Rejects, MoreBlocksThanThereAre) {
  Programs programs(2, Program(1));
  programs[0][0].send({{Buffer::output, 0, 1, 0, 1 << 30}}, Rank{1});
  EXPECT_EQ(reason(Operation::broadcast, {0, 1, 0}, programs),
            "round 1 (t = 0): rank 0: send output[0 step 0 times 1073741824] to 1: names "
            "1073741824 blocks of 1");
  programs[0][0].ops[0].blocks[0] = {Buffer::output, 0, 1, 1 << 30, 3};
  EXPECT_EQ(reason(Operation::broadcast, {0, 3, 0, 3}, programs),
            "round 1 (t = 0): rank 0: send output[0 step 1073741824 times 3] to 1: there is no "
            "block 1073741824 "
            "in a buffer of 3");
}

TEST(Rejects, MoreStepsThanTheBudget) {
  const Limits limits{.steps = 100};
  EXPECT_EQ(verify(chain.operation, {.p = 9}, {0, 1, 0}, programs_of(chain, {.p = 9}),
                   Placement::separate, nullptr, limits)
                .problem,
            "");
  EXPECT_EQ(verify(chain.operation, {.p = 90}, {0, 1, 0}, programs_of(chain, {.p = 90}),
                   Placement::separate, nullptr, limits)
                .problem,
            "round 17 (t = 16): rank 17: receive output[0] from 16: refused after 102 steps");
}

TEST(Rejects, BarrierThatLeavesSomebodyOut) {
  Programs programs(3, Program(1));
  for (int me = 0; me < 3; ++me) {
    programs[static_cast<std::size_t>(me)][0].send(Blocks{}, Rank{(me + 1) % 3});
    programs[static_cast<std::size_t>(me)][0].receive(Blocks{}, Rank{(me + 2) % 3});
  }
  EXPECT_EQ(reason(Operation::barrier, {}, programs),
            "result: rank 0 leaves without having heard of rank 1");
}

TEST(Rejects, WrongBufferSizes) {
  EXPECT_EQ(reason(Operation::allreduce, {1, 2, 0, 2}, Programs(2)),
            "buffers: 1 blocks of input and 2 of output, but 2 parts for 2 ranks");
}

// Both ranks of a pair may send first, because all operations of a round go on together.
TEST(Derives, OrderOfOperands) {
  const auto exchange = [](bool ordered) {
    Programs programs(2, Program(1));
    for (int me : {0, 1}) {
      Round& round = programs[static_cast<std::size_t>(me)][0];
      round.send({in}, Rank{1 - me});
      const bool mine_first = me == 0 || !ordered;
      if (mine_first) round.receive_combine({out}, {local({in}), remote(Rank{1 - me})});
      if (!mine_first) round.receive_combine({out}, {remote(Rank{1 - me}), local({in})});
    }
    return verify(Operation::allreduce, {.p = 2}, {1, 1, 0}, programs);
  };
  const Verdict ordered = exchange(true), swapped = exchange(false);
  EXPECT_TRUE(ordered.correct() && ordered.rank_order && ordered.same_tree && ordered.canonical &&
              ordered.one_port);
  EXPECT_TRUE(swapped.correct());
  EXPECT_FALSE(swapped.rank_order);
  EXPECT_FALSE(swapped.same_tree);
  EXPECT_FALSE(swapped.canonical);
}

TEST(Derives, SwappedOperandsInATree) {
  Programs programs = programs_of(both_ways, {.p = 9});
  std::swap(programs[3][1].ops[0].operands[0], programs[3][1].ops[0].operands[1]);
  const Verdict verdict =
      verify(Operation::allreduce, {.p = 9}, both_ways.buffers({.p = 9}), programs);
  EXPECT_TRUE(verdict.correct());
  EXPECT_FALSE(verdict.rank_order);
  EXPECT_TRUE(verdict.same_tree);
}

// Emits a schedule that claims to keep the order of operands and does not.
void unordered_emit(Round& round, const Shape& s, Rank me, int) {
  if (num(me) > 0) return round.send({in}, Rank{0});
  std::vector<Operand> operands;
  for (int rank = s.p - 1; rank > 0; --rank) operands.push_back(remote(Rank{rank}));
  operands.push_back(local({in}));
  round.receive_combine({out}, operands);
}

TEST(Rejects, SwappedOperands) {
  const auto one_round = [](const Shape&) { return 1; };
  const auto buffers = [](const Shape&) { return Buffers{1, 1, 0}; };
  Generator g{"backwards",    Operation::reduce, one_round,     buffers,
              unordered_emit, samples::always,   Operators::any};
  EXPECT_EQ(verify(g, {.p = 3}).problem,
            "result: output[0] of rank 0 is ((2+1)+0), not in rank order, which 'backwards' claims "
            "to keep");
  g.operators = schedule::Operators::commutative;
  EXPECT_EQ(verify(g, {.p = 3}).problem, "");
}

TEST(Derives, OnePort) {
  EXPECT_TRUE(verify(chain, {.p = 5}).one_port);
  EXPECT_FALSE(verify(tree, {.p = 5}).one_port);
  EXPECT_FALSE(verify(tree_in, {.p = 5}).one_port);
}

TEST(Derives, Counts) {
  const Counts c = verify(tree_in, {.p = 9}).counts;
  EXPECT_EQ(c.rounds, 2);  // and one of local work
  EXPECT_EQ(c.messages, 8);
  EXPECT_EQ(c.volume, 8);
  EXPECT_EQ(c.combines, 8);
  EXPECT_EQ(c.alpha, 4);
  EXPECT_EQ(c.gamma, 4);
  EXPECT_EQ(c.sends, (std::vector<int>{6, 2}));
  EXPECT_EQ(c.done, (std::vector<int>{6, 9}));
  EXPECT_EQ(c.root, (Time{4, 2, 0}));
}

// Where adding takes longer than a message, the root of two children waits for both additions, and
// only for the first of the messages.
TEST(Derives, TimesByDurations) {
  const Durations slow_additions{.complete = 1, .operation = 3, .send = 1};
  const Verdict verdict =
      verify(Operation::reduce, {.p = 9}, tree_in.buffers({.p = 9}), programs_of(tree_in, {.p = 9}),
             Placement::separate, nullptr, {}, slow_additions);
  EXPECT_EQ(verdict.problem, "");
  EXPECT_EQ(verdict.counts.root, (Time{2, 4, 0}));
  EXPECT_EQ(verdict.counts.longest, verdict.counts.root);
}

TEST(Expressions, CanonicalTree) {
  Expressions e(7, 1);
  EXPECT_EQ(e.to_text(e.canonical(1, 0)), "0");
  EXPECT_EQ(e.to_text(e.canonical(3, 0)), "((0+1)+2)");
  EXPECT_EQ(e.to_text(e.canonical(4, 0)), "((0+1)+(2+3))");
  EXPECT_EQ(e.to_text(e.canonical(6, 0)), "(((0+1)+(2+3))+(4+5))");
  EXPECT_EQ(e.canonical(6, 0), e.canonical(6, 0));
  EXPECT_NE(e.sum(1, 2), e.sum(2, 1));
}

}  // namespace
}  // namespace tutti::schedule

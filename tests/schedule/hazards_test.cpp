// SPDX-License-Identifier: BSD-3-Clause
// Checks that rounds are rejected whose operations meet at a block in a way that depends on the
// order of messages.
#include "schedule/hazards.hpp"

#include <gtest/gtest.h>

#include "reason.hpp"

namespace tutti::schedule {
namespace {

using handmade::in;
using handmade::out;
using handmade::Programs;
using handmade::reason;
using handmade::scratch;

// In a round, the blocks that a rank sends and those that it receives must be the same or disjoint.
TEST(Rejects, PartialOverlapInARound) {
  Programs programs(2, Program(2));
  for (int me : {0, 1}) {
    Program& program = programs[static_cast<std::size_t>(me)];
    program[0].copy({{Buffer::scratch, 0, 2}}, {{Buffer::input, 0, 2}});
    program[1].send({{Buffer::scratch, 0, 2}}, Rank{1 - me});
    program[1].receive({{Buffer::scratch, 1}, {Buffer::scratch, 2}}, Rank{1 - me});
  }
  EXPECT_EQ(reason(Operation::allreduce, {2, 2, 3, 2}, programs),
            "round 2 (t = 1): rank 0: receive scratch[1], scratch[2] from 1: overwrites a part of "
            "what is "
            "sent in the same round");
}

TEST(Rejects, TwoReceivesIntoOneBlock) {
  Programs programs(3, Program(1));
  for (int from : {0, 1}) {
    programs[static_cast<std::size_t>(from)][0].send({in}, Rank{2});
    programs[2][0].receive({out}, Rank{from});
  }
  EXPECT_EQ(reason(Operation::allreduce, {1, 1, 0}, programs),
            "round 1 (t = 0): rank 2: receive output[0] from 1: another operation of the round "
            "uses block 0");
}

// Receives of a round go on together, so the combine may come before the block has arrived.
TEST(Rejects, CombiningWithABlockThatArrives) {
  Programs programs(3, Program(1));
  programs[1][0].send({in}, Rank{0});
  programs[2][0].send({in}, Rank{0});
  programs[0][0].receive({scratch}, Rank{1});
  programs[0][0].receive_combine({out}, {local({in}), local({scratch}), remote(Rank{2})});
  EXPECT_EQ(reason(Operation::reduce, {1, 1, 1}, programs),
            "round 1 (t = 0): rank 0: receive_combine output[0] = input[0] + scratch[0] + from 2: "
            "combines "
            "with a block that arrives in the same round");
}

// Executors work from the first element to the last, without a copy of what they overwrite.
TEST(Rejects, CopyThatShiftsBlocks) {
  const Block first{Buffer::scratch, 0, 2}, second{Buffer::scratch, 1, 2};
  const auto copied = [&](const Blocks& to, const Blocks& from) {
    Programs programs(1, Program(3));
    programs[0][0].copy({first, {Buffer::scratch, 2}}, {{Buffer::input, 0}, in, in});
    programs[0][1].copy(to, from);
    programs[0][2].copy({out}, {scratch});
    return reason(Operation::allreduce, {1, 1, 3}, programs);
  };
  EXPECT_EQ(copied({first}, {first}), "");
  EXPECT_EQ(copied({second}, {first}),
            "round 2 (t = 1): rank 0: copy scratch[1..2] = scratch[0..1]: reads a block that it "
            "writes at "
            "another place");
  EXPECT_EQ(copied({scratch, scratch}, {in, in}),
            "round 2 (t = 1): rank 0: copy scratch[0], scratch[0] = input[0], input[0]: block 0 is "
            "written "
            "twice");
}

TEST(Rejects, CombineThatShiftsBlocks) {
  const Block one{Buffer::scratch, 1}, two{Buffer::scratch, 2};
  Programs programs(2, Program(3));
  for (int me : {0, 1}) {
    Program& program = programs[static_cast<std::size_t>(me)];
    program[0].copy({scratch}, {in});
    program[0].send({in}, Rank{1 - me});
    program[0].receive({one}, Rank{1 - me});
    program[1].combine({one, two}, {local({scratch, one}), local({one, scratch})});
    program[2].copy({out}, {me == 0 ? one : two});
  }
  EXPECT_EQ(reason(Operation::allreduce, {1, 1, 3}, programs),
            "round 2 (t = 1): rank 0: combine scratch[1], scratch[2] = scratch[0], scratch[1] + "
            "scratch[1], scratch[0]: reads a block that it writes at another place");
}

// ---- Programs that were once accepted and executed wrongly.

// The first message arrives in scratch, and the combine of the second reads it.
TEST(RejectedHoles, ReduceThatCombinesWithWhatArrives) {
  Programs programs(3, Program(1));
  programs[0][0].receive({scratch}, Rank{1});
  programs[0][0].receive_combine({out}, {local({in}), local({scratch}), remote(Rank{2})});
  for (const int me : {1, 2}) programs[static_cast<std::size_t>(me)][0].send({in}, Rank{0});
  EXPECT_NE(reason(Operation::reduce, {1, 1, 1}, programs), "");
}

TEST(RejectedHoles, CompleteExchangeOfShiftedBlocks) {
  for (const int p : {2, 5}) {
    Programs programs(static_cast<std::size_t>(p), Program(3));
    for (int me = 0; me < p; ++me) {
      Program& program = programs[static_cast<std::size_t>(me)];
      program[0].copy({{Buffer::scratch, 0, p}}, {{Buffer::input, 0, p}});
      program[1].copy({{Buffer::scratch, 1, p}}, {{Buffer::scratch, 0, p}});
      for (int to = 0; to < p; ++to)
        if (to != me) program[2].send({{Buffer::scratch, 1 + to}}, Rank{to});
      for (int from = 0; from < p; ++from)
        if (from != me) program[2].receive({{Buffer::output, from}}, Rank{from});
      program[2].copy({{Buffer::output, me}}, {{Buffer::scratch, 1 + me}});
    }
    EXPECT_NE(reason(Operation::alltoall, {p, p, 2 * p, p}, programs), "");
  }
}

TEST(RejectedHoles, AllreduceOfShiftedBlocks) {
  const Block third{Buffer::scratch, 3}, one{Buffer::scratch, 1}, two{Buffer::scratch, 2};
  Programs programs(2, Program(3));
  for (const int me : {0, 1}) {
    Program& program = programs[static_cast<std::size_t>(me)];
    program[0].send({in}, Rank{1 - me});
    program[0].receive({one}, Rank{1 - me});
    program[0].copy({scratch}, {in});
    program[0].copy({third}, {in});
    program[1].combine({one, two}, {local({scratch, one}), local({one, scratch})});
    program[2].copy({out}, {me == 0 ? one : two});
  }
  EXPECT_NE(reason(Operation::allreduce, {1, 1, 4}, programs), "");
}

// A whole vector, which is two blocks, moves by one block while it is combined.
TEST(RejectedHoles, AllreduceOfAShiftedVector) {
  Programs programs(2, Program(3));
  for (const int me : {0, 1}) {
    Program& program = programs[static_cast<std::size_t>(me)];
    const Blocks mine{{Buffer::scratch, 0, 2}}, theirs{{Buffer::output, 0, 2}};
    program[0].send({{Buffer::input, 0, 2}}, Rank{1 - me});
    program[0].receive(theirs, Rank{1 - me});
    program[0].copy(mine, {{Buffer::input, 0, 2}});
    program[1].combine({{Buffer::scratch, 1, 2}},
                       {local(me == 0 ? mine : theirs), local(me == 0 ? theirs : mine)});
    program[2].copy({{Buffer::output, 0, 2}}, {{Buffer::scratch, 1, 2}});
  }
  EXPECT_NE(reason(Operation::allreduce, {2, 2, 4, 2}, programs), "");
}

}  // namespace
}  // namespace tutti::schedule

// SPDX-License-Identifier: BSD-3-Clause
// Tests that forwarding drops exactly the copies that no operation needs.
#include "schedule/forward.hpp"

#include <gtest/gtest.h>

namespace tutti::schedule {
namespace {

const Block input{Buffer::input, 0}, output{Buffer::output, 0}, scratch{Buffer::scratch, 0};

Program copy_first(const Block& target) {
  Program program(1);
  program[0].copy({target}, {input});
  return program;
}

TEST(ForwardCopies, ALeafSendsItsInput) {
  Program program = copy_first(scratch);
  program.emplace_back().send({scratch}, Rank{1});
  const Program shorter = forward_copies(program);
  EXPECT_TRUE(shorter[0].ops.empty());
  EXPECT_EQ(shorter[1].ops[0].blocks, Blocks{input});
}

TEST(ForwardCopies, TheFirstCombineReadsTheInput) {
  Program program = copy_first(output);
  program.emplace_back().receive_combine({output}, {local({output}), remote(Rank{1})});
  program.emplace_back().receive_combine({output}, {local({output}), remote(Rank{2})});
  const Program shorter = forward_copies(program);
  EXPECT_TRUE(shorter[0].ops.empty());
  EXPECT_EQ(shorter[1].ops[0].operands[0].local, Blocks{input});
  EXPECT_EQ(shorter[2].ops[0].operands[0].local, Blocks{output});
}

TEST(ForwardCopies, SendsOfTheOverwritingRoundStillReadTheInput) {
  Program program = copy_first(output);
  Round& exchange = program.emplace_back();
  exchange.receive_combine({output}, {local({output}), remote(Rank{1})});
  exchange.send({output}, Rank{1});
  const Program shorter = forward_copies(program);
  EXPECT_TRUE(shorter[0].ops.empty());
  EXPECT_EQ(shorter[1].ops[1].blocks, Blocks{input});
}

TEST(ForwardCopies, AResultThatNobodyOverwritesIsCopied) {
  Program program = copy_first(output);
  program.emplace_back().send({output}, Rank{1});
  EXPECT_EQ(forward_copies(program), program);
}

TEST(ForwardCopies, APartlyReadCopyStays) {
  Program program(1);
  program[0].copy({Block{Buffer::scratch, 0, 2}}, {Block{Buffer::input, 0, 2}});
  program.emplace_back().send({scratch}, Rank{1});
  EXPECT_EQ(forward_copies(program), program);
}

// Later rounds of a long Program need not be made.
TEST(ForwardCopies, OnlyTheRoundsThatDecideAreAskedFor) {
  Program program = copy_first(output);
  program.emplace_back().receive_combine({output}, {local({output}), remote(Rank{1})});
  int last = 0;
  const auto copies = forwarded_copies(program[0], 1000, [&](int t) -> const Round& {
    last = t;
    return program.at(static_cast<std::size_t>(t));
  });
  ASSERT_EQ(copies.size(), 1U);
  EXPECT_EQ(copies[0].place, 0U);
  EXPECT_EQ(copies[0].copied, Blocks{output});
  EXPECT_EQ(copies[0].overwritten, 1);
  EXPECT_EQ(last, 1);
}

// In an operation in place, output[1] may be the memory from which the copy was made.
TEST(ForwardCopies, ACopyReadAfterOutputIsWrittenStays) {
  Program program = copy_first(scratch);
  program.emplace_back().receive({Block{Buffer::output, 1}}, Rank{1});
  program.emplace_back().send({scratch}, Rank{1});
  EXPECT_EQ(forward_copies(program), program);
  std::swap(program[1], program[2]);
  EXPECT_TRUE(forward_copies(program)[0].ops.empty());
}

// In place, a message would then be received into a part of what is sent. A round that writes
// exactly the memory of the source stays as good as before.
TEST(ForwardCopies, ACopySentBesideAWriteOfOutputStays) {
  Program program = copy_first(scratch);
  Round& round = program.emplace_back();
  round.send({scratch}, Rank{1});
  round.receive({Block{Buffer::scratch, 1}, output}, Rank{1});
  EXPECT_EQ(forward_copies(program), program);
  round.ops[1].blocks = {output};
  EXPECT_TRUE(forward_copies(program)[0].ops.empty());
}

// In place, the message would then arrive in what the other operation combines with.
TEST(ForwardCopies, ACopyCombinedBesideAMessageToOutputStays) {
  Program program = copy_first(scratch);
  Round& round = program.emplace_back();
  round.receive_combine({scratch}, {remote(Rank{2}), local({scratch})});
  round.receive({output}, Rank{1});
  EXPECT_EQ(forward_copies(program), program);
  round.ops.pop_back();
  EXPECT_TRUE(forward_copies(program)[0].ops.empty());
}

TEST(ForwardCopies, CopiesToTheSamePlaceStay) {
  Program program = copy_first(scratch);
  program[0].copy({scratch}, {Block{Buffer::input, 1}});
  program.emplace_back().send({scratch}, Rank{1});
  EXPECT_EQ(forward_copies(program), program);
}

TEST(ForwardCopies, OtherLocalWorkIsLeftAlone) {
  Program program = copy_first(scratch);
  program[0].copy({output}, {scratch});
  EXPECT_EQ(forward_copies(program), program);
  EXPECT_TRUE(forward_copies({}).empty());
}

}  // namespace
}  // namespace tutti::schedule

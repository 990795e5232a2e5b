// SPDX-License-Identifier: BSD-3-Clause
// Checks that rounds are rejected in which ranks could wait in a circle because none has room to
// send, and that similar rounds without such a circle are not.
#include "schedule/waits.hpp"

#include <gtest/gtest.h>

#include "reason.hpp"

namespace tutti::schedule {
namespace {

using handmade::in;
using handmade::out;
using handmade::Programs;
using handmade::reason;
using handmade::scratch;

constexpr const char* circle =
    " takes messages in an order in which ranks 0, 1 may wait for each other: none may have room "
    "to send before another has sent";
const Block second{Buffer::scratch, 1};
// Three blocks per vector, so that operators work element by element.
const Buffers buffers{3, 3, 6, 3};
// Blocks of the first part.
const Blocks input{in}, output{out};

// Ranks 0 and 1 send to 2 and 3, which take the messages in these orders.
std::string crossed(bool same_order, bool one_send, const Buffers& sizes = buffers) {
  Programs programs(4, Program(1));
  for (const int from : {0, 1}) {
    Round& round = programs[static_cast<std::size_t>(from)][0];
    if (one_send) {
      round.send(input, Ranks{2, 2});
    } else {
      for (const int to : {3 - from, 2 + from}) round.send(input, Rank{to});
    }
  }
  programs[2][0].receive_combine(output, {remote(Rank{0}), remote(Rank{1})});
  const int first = same_order ? 0 : 1;
  programs[3][0].receive_combine(output, {remote(Rank{first}), remote(Rank{1 - first})});
  return reason(Operation::allreduce, sizes, programs);
}

TEST(RejectsWaits, MessagesThatAreTakenInTwoOrders) {
  EXPECT_EQ(crossed(false, false), std::string("round 1 (t = 0): rank 2") + circle);
  EXPECT_EQ(crossed(true, false).substr(0, 7), "result:");
}

// A rank with one send puts the same elements under way to both. The order matters only within
// them, unless the operator takes whole vectors.
TEST(RejectsWaits, TwoOrdersOfOneSendOnlyForWholeVectors) {
  EXPECT_EQ(crossed(false, true).substr(0, 7), "result:");
  EXPECT_EQ(crossed(false, true, {1, 1, 0}), std::string("round 1 (t = 0): rank 2") + circle);
}

// Ranks 2 and 3 take the messages of ranks 0 and 1 on both sides of local work.
template <class Work>
std::string around(bool same_order, Work work) {
  Programs programs(4, Program(1));
  for (const int from : {0, 1})
    programs[static_cast<std::size_t>(from)][0].send(input, Ranks{2, 2});
  for (const int to : {2, 3}) {
    Round& round = programs[static_cast<std::size_t>(to)][0];
    const int first = to == 2 || same_order ? 0 : 1;
    round.receive(output, Rank{first});
    work(round);
    round.receive({scratch}, Rank{1 - first});
  }
  return reason(Operation::allreduce, buffers, programs);
}

const Block other_input{Buffer::input, 1}, other_output{Buffer::output, 1};

TEST(RejectsWaits, ReceivesOnBothSidesOfACombine) {
  const auto combine = [](Round& round) {
    round.combine({other_output}, {local({other_input}), local({other_input})});
  };
  EXPECT_EQ(around(false, combine), std::string("round 1 (t = 0): rank 2") + circle);
  EXPECT_EQ(around(true, combine).substr(0, 7), "result:");
}

// Receives pass a copy, unless something behind it uses its blocks.
TEST(RejectsWaits, ReceivesOnBothSidesOfACopyThatIsUsed) {
  const auto copy = [](Round& round) { round.copy({other_output}, {other_input}); };
  EXPECT_EQ(around(false, copy).substr(0, 7), "result:");
  const auto used = [&](Round& round) {
    copy(round);
    round.copy({{Buffer::scratch, 1}}, {other_output});
  };
  EXPECT_EQ(around(false, used), std::string("round 1 (t = 0): rank 2") + circle);
  const auto independent = [](Round& round) {
    round.copy({{Buffer::scratch, 3}}, {out});
    round.copy({{Buffer::output, 2}}, {{Buffer::input, 2}});
  };
  EXPECT_EQ(around(false, independent).substr(0, 7), "result:");
}

// Each of two ranks takes the other's message block by block as its own is sent. The room for
// their own may be full of packets to a third rank.
TEST(RejectsWaits, OverwritingASentBlockBesideAnotherMessage) {
  const auto problem = [](std::initializer_list<int> ranks_with_two) {
    Programs programs(3, Program(2));
    for (const int me : {0, 1}) {
      Program& program = programs[static_cast<std::size_t>(me)];
      program[0].copy({out}, {in});
      program[1].send({out}, Rank{1 - me});
      program[1].receive({out}, Rank{1 - me});
    }
    for (const int me : ranks_with_two) {
      programs[static_cast<std::size_t>(me)][1].send({in}, Rank{2});
      programs[2][1].receive({{Buffer::scratch, 3 * me}}, Rank{me});
    }
    return reason(Operation::allreduce, buffers, programs);
  };
  EXPECT_EQ(problem({}).substr(0, 7), "result:");
  EXPECT_EQ(problem({0}), std::string("round 2 (t = 1): rank 0") + circle);
  EXPECT_EQ(problem({0, 1}), std::string("round 2 (t = 1): rank 0") + circle);
}

// The copy waits for the send, the receive for the copy, and the other rank likewise.
TEST(RejectsWaits, ReceiveBehindLocalWorkThatWaitsForASend) {
  const auto added = [](const Block& operand) {
    Programs programs(2, Program(2));
    for (int me : {0, 1}) {
      Program& program = programs[static_cast<std::size_t>(me)];
      program[0].copy({scratch, second}, {in, in});
      program[1].send({scratch}, Rank{1 - me});
      program[1].copy({scratch}, {in});
      program[1].receive_combine({out}, {local({operand}), remote(Rank{1 - me})});
    }
    return reason(Operation::allreduce, {1, 1, 2}, programs);
  };
  EXPECT_EQ(added(second), "");
  EXPECT_EQ(added(scratch), std::string("round 2 (t = 1): rank 0") + circle);
}

// Four ranks stand in a circle, and each takes the message of its left neighbour before that of its
// right one. A fifth, which is behind them in the order, is not blamed.
TEST(RejectsWaits, ALongCircle) {
  Programs programs(5, Program(1));
  for (int me = 0; me < 4; ++me) {
    Round& round = programs[static_cast<std::size_t>(me)][0];
    round.send(input, Rank{(me + 1) % 4});
    round.send(input, Rank{(me + 3) % 4});
    round.receive_combine(output, {remote(Rank{(me + 3) % 4}), remote(Rank{(me + 1) % 4})});
  }
  programs[4][0].send(input, Rank{0});
  programs[0][0].ops.back().operands.push_back(remote(Rank{4}));
  EXPECT_EQ(
      reason(Operation::allreduce, buffers, programs),
      "round 1 (t = 0): rank 0 takes messages in an order in which ranks 1, 3 may wait for each "
      "other: none may have room to send before another has sent");
}

}  // namespace
}  // namespace tutti::schedule

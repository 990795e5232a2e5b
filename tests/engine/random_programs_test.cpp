// SPDX-License-Identifier: BSD-3-Clause
// Compares the verifier with the engine on random Programs: whatever the verifier accepts must be
// executed as it says, in every order of events. TUTTI_SEED draws other Programs, TUTTI_PROGRAMS
// says how many must be accepted, and TUTTI_SECONDS ends the test earlier or later.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "random_program.hpp"

namespace tutti::engine::test {
namespace {

long number(const char* variable, long otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtol(text, nullptr, 10);
}

TEST(RandomPrograms, TheEngineDoesWhatTheVerifierSays) {
  const long seed = number("TUTTI_SEED", 31), wanted = number("TUTTI_PROGRAMS", 10000);
  const auto limit = std::chrono::seconds(number("TUTTI_SECONDS", 20));
  const auto begin = std::chrono::steady_clock::now();
  std::mt19937 random(static_cast<unsigned>(seed));
  long drawn = 0, accepted = 0, different = 0;
  for (; accepted < wanted && std::chrono::steady_clock::now() - begin < limit; ++drawn) {
    const RandomCase one = random_case(random);
    const Outcome outcome = compare(one, 3, random);
    accepted += outcome.accepted ? 1 : 0;
    if (outcome.difference.empty()) continue;
    ADD_FAILURE() << "Program " << drawn << ": " << outcome.difference << '\n' << to_text(one);
    if (++different == number("TUTTI_DIFFERENCES", 3)) break;
  }
  EXPECT_GT(accepted, drawn / 20) << "Programs that are refused compare nothing";
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  fmt::print(
      "{} Programs drawn, {} accepted, {} different, {:.0f} s (again: TUTTI_SEED={} ctest -R "
      "test_engine_random_programs)\n",
      drawn, accepted, different, seconds, seed);
}

// ---- Programs that random ones have found: the verifier accepted them, the engine did otherwise.

RandomCase case_of(schedule::Operation operation, const schedule::Buffers& buffers,
                   std::vector<schedule::Program> programs) {
  const int p = static_cast<int>(programs.size());
  return {operation, {.p = p}, buffers, schedule::Placement::separate, std::move(programs)};
}

void expect_alike(const RandomCase& one) {
  std::mt19937 random(1);
  const Outcome outcome = compare(one, 200, random);
  EXPECT_TRUE(outcome.accepted);
  EXPECT_EQ(outcome.difference, "");
}

using schedule::Buffer;
using schedule::Rank;
const schedule::Block in{Buffer::input, 0}, out{Buffer::output, 0}, scratch{Buffer::scratch, 0};

// Local work that waited for all sends kept the receive behind it waiting too, on both sides.
TEST(FoundPrograms, LocalWorkBetweenASendAndAReceive) {
  std::vector<schedule::Program> programs(2, schedule::Program(2));
  const schedule::Block sum{Buffer::scratch, 1};
  for (const int me : {0, 1}) {
    schedule::Round& round = programs[static_cast<std::size_t>(me)][0];
    round.send({in}, Rank{1 - me});
    round.combine({scratch}, {schedule::local({in}), schedule::local({in})});
    round.receive_combine({sum}, {schedule::local({scratch}), schedule::remote(Rank{1 - me})});
    programs[static_cast<std::size_t>(me)][1].copy({out}, {sum});
  }
  expect_alike(case_of(schedule::Operation::allreduce, {1, 1, 2}, programs));
}

// Two results that need staging memory shared it while both waited for messages.
TEST(FoundPrograms, TwoStagedCombinesInARound) {
  std::vector<schedule::Program> programs(3, schedule::Program(2));
  for (const int from : {1, 2}) {
    const schedule::Block sum{Buffer::scratch, from - 1};
    programs[static_cast<std::size_t>(from)][1].send({in}, Rank{0});
    programs[0][0].combine({sum}, {schedule::local({in}), schedule::local({in})});
    programs[0][1].receive_combine({sum}, {schedule::local({in}), schedule::local({in}),
                                           schedule::local({sum}), schedule::remote(Rank{from})});
    programs[0].emplace_back().copy({out}, {sum});
  }
  expect_alike(case_of(schedule::Operation::allreduce, {1, 1, 2}, programs));
}

// The copy to scratch was left out, and the message sent from the input, which in place is the
// memory that the other message arrives in.
TEST(FoundPrograms, ACopySentWhileOutputArrives) {
  std::vector<schedule::Program> programs(2, schedule::Program(2));
  const schedule::Blocks whole{{Buffer::output, 0, 2}};
  programs[0][0].copy({scratch}, {{Buffer::input, 1}});
  programs[0][1].send({scratch}, Rank{1});
  programs[0][1].receive(whole, Rank{1});
  programs[1][1].send({{Buffer::input, 0, 2}}, Rank{0});
  programs[1][1].receive({scratch}, Rank{0});
  expect_alike(case_of(schedule::Operation::alltoall, {2, 2, 2, 2}, programs));
}

// Rank 1 combined with its input in place of the copy of it, where the other message arrives.
TEST(FoundPrograms, ACopyCombinedWhileOutputArrives) {
  std::vector<schedule::Program> programs(3, schedule::Program(2));
  programs[0][1].send({in}, Rank{1});
  programs[1][0].copy({scratch}, {in});
  programs[1][1].receive_combine({scratch},
                                 {schedule::remote(Rank{2}), schedule::local({scratch})});
  programs[1][1].receive({out}, Rank{0});
  programs[2][1].send({in}, Rank{1});
  RandomCase one = case_of(schedule::Operation::scan, {1, 1, 1}, programs);
  one.placement = schedule::Placement::in_place;
  expect_alike(one);
}

// An operator on whole vectors waited for its rank's own message to be sent before it took one.
TEST(FoundPrograms, AnExchangeOfWholeVectors) {
  for (const bool own_first : {false, true}) {
    std::vector<schedule::Program> programs(2, schedule::Program(2));
    for (const int me : {0, 1}) {
      schedule::Program& program = programs[static_cast<std::size_t>(me)];
      const schedule::Operand mine = schedule::local({out}),
                              theirs = schedule::remote(Rank{1 - me});
      program[0].copy({out}, {in});
      program[1].send({out}, Rank{1 - me});
      program[1].receive_combine({out},
                                 own_first ? std::vector{mine, theirs} : std::vector{theirs, mine});
    }
    expect_alike(case_of(schedule::Operation::allreduce, {1, 1, 0}, programs));
  }
}

// ---- Programs that the verifier refuses because ranks may wait in a circle. They do.

// Ranks 0 and 1 send to 2 and 3, which combine the messages in different orders.
RandomCase crossed(const schedule::Buffers& buffers, bool one_send) {
  std::vector<schedule::Program> programs(4, schedule::Program(1));
  for (const int from : {0, 1}) {
    schedule::Round& round = programs[static_cast<std::size_t>(from)][0];
    if (one_send) {
      round.send({in}, schedule::Ranks{2, 2});
    } else {
      for (const int to : {3 - from, 2 + from}) round.send({in}, Rank{to});
    }
  }
  for (const int to : {2, 3})
    programs[static_cast<std::size_t>(to)][0].receive_combine(
        {out}, {schedule::remote(Rank{to - 2}), schedule::remote(Rank{3 - to})});
  return case_of(schedule::Operation::allreduce, buffers, programs);
}

void expect_wait(const RandomCase& one) {
  std::mt19937 random(1);
  EXPECT_FALSE(compare(one, 1, random).accepted);
  EXPECT_TRUE(may_wait_for_ever(one, 1000, random));
}

TEST(RefusedPrograms, MessagesThatAreTakenInTwoOrders) {
  expect_wait(crossed({2, 2, 0, 2}, false));
  expect_wait(crossed({1, 1, 0}, true));
  expect_alike(crossed({2, 2, 0, 2}, true));
}

TEST(RefusedPrograms, ReceivesOnBothSidesOfACombine) {
  const schedule::Block other_in{Buffer::input, 1}, other_out{Buffer::output, 1};
  std::vector<schedule::Program> programs(4, schedule::Program(1));
  for (const int from : {0, 1})
    programs[static_cast<std::size_t>(from)][0].send({in}, schedule::Ranks{2, 2});
  for (const int to : {2, 3}) {
    schedule::Round& round = programs[static_cast<std::size_t>(to)][0];
    round.receive({out}, Rank{to - 2});
    round.combine({other_out}, {schedule::local({other_in}), schedule::local({other_in})});
    round.receive({scratch}, Rank{3 - to});
  }
  expect_wait(case_of(schedule::Operation::allreduce, {2, 2, 1, 2}, programs));
}

// Ranks 0 and 1 overwrite the block that they send to each other, and rank 2 takes their other
// messages in this order.
TEST(RefusedPrograms, OverwritingASentBlockBesideAnotherMessage) {
  std::vector<schedule::Program> programs(3, schedule::Program(2));
  for (const int me : {0, 1}) {
    schedule::Program& program = programs[static_cast<std::size_t>(me)];
    program[0].copy({out}, {in});
    if (me == 1) program[1].send({in}, Rank{2});
    program[1].send({out}, Rank{1 - me});
    if (me == 0) program[1].send({in}, Rank{2});
    program[1].receive({out}, Rank{1 - me});
  }
  programs[2][1].receive_combine({out}, {schedule::remote(Rank{0}), schedule::remote(Rank{1})});
  RandomCase one = case_of(schedule::Operation::allreduce, {2, 2, 2, 2}, programs);
  one.placement = schedule::Placement::in_place;
  expect_wait(one);
}

}  // namespace
}  // namespace tutti::engine::test

// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/printer.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "samples.hpp"

namespace tutti::schedule {
namespace {

TEST(Printer, OneLinePerOperation) {
  Program program(2);
  program[0].send({{Buffer::input, 0, 4}, {Buffer::scratch, 2}}, Ranks{0, 8, 1, 3});
  program[0].send(Blocks{}, Rank{1});
  program[0].receive({{Buffer::output, 1, 2, 8, 3}}, Rank{5});
  program[1].receive_combine({{Buffer::output, 0}},
                             {remote(Rank{2}), local({{Buffer::input, 0}}), remote(Rank{4})});
  program[1].combine({{Buffer::scratch, 0}},
                     {local({{Buffer::input, 0}}), local({{Buffer::output, 0}})});
  program[1].copy({{Buffer::output, 0}}, {{Buffer::input, 7}});
  EXPECT_EQ(to_text(program),
            "round 1\n"
            "  send input[0..3], scratch[2] to 0..7 except 3\n"
            "  send nothing to 1\n"
            "  receive output[1..2 step 8 times 3] from 5\n"
            "round 2\n"
            "  receive_combine output[0] = from 2 + input[0] + from 4\n"
            "  combine scratch[0] = input[0] + output[0]\n"
            "  copy output[0] = input[7]\n");
}

TEST(Printer, BuildsTheProgramOfOneRank) {
  EXPECT_EQ(to_text(build(samples::chain, {.p = 3}, Rank{1})),
            "round 1\n"
            "  receive output[0] from 0\n"
            "round 2\n"
            "  send output[0] to 2\n");
  EXPECT_TRUE(build(samples::chain, {.p = 1}, Rank{0}).empty());
}

std::string refusal_of(const Generator& generator, const Shape& shape) {
  try {
    (void)build(generator, shape, Rank{0});
  } catch (const base::Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Printer, BuildsNoProgramThatDoesNotFitIntoMemory) {
  Generator endless = samples::chain;
  endless.parameter = Parameter::segments;
  endless.rounds = [](const Shape& shape) { return shape.segments; };
  EXPECT_EQ(refusal_of(endless, {.p = 3, .segments = 10000000}),
            "algorithm 'chain' for broadcast with segments=10000000 has 10000000 rounds, but a "
            "schedule has at most 1048576, so that it fits into memory");
  endless.emit = [](Round& round, const Shape&, Rank, Int) {
    for (int i = 0; i < 1000; ++i) round.send({{Buffer::output, 0}}, Rank{1});
  };
  EXPECT_EQ(refusal_of(endless, {.p = 3, .segments = 100000}),
            "the schedule of algorithm 'chain' for broadcast with segments=100000 takes more than "
            "128 MiB on a rank, which is the limit");
}

}  // namespace
}  // namespace tutti::schedule

// SPDX-License-Identifier: BSD-3-Clause
// Tests the normal form: sends come first, blocks are merged, copies are forwarded, and the meaning
// is kept.
#include "schedule/normalize.hpp"

#include <gtest/gtest.h>

#include "samples.hpp"
#include "schedule/printer.hpp"
#include "schedule/transforms.hpp"

namespace tutti::schedule {
namespace {

using samples::chain;
using samples::relay;
using samples::star;
using samples::tree;

constexpr Generator tree_in = reverse<tree>("tree");
constexpr Generator both_ways = then<tree_in, tree>("tree");
constexpr Generator relay_in = reverse<relay>("relay");
constexpr Generator pieces = pipelined<chain>("pipelined chain");
constexpr Generator relay_pieces = pipelined<relay>("pipelined relay");

TEST(Normalized, SendsComeFirstInTheirOrder) {
  Program program(1);
  const Block out{Buffer::output, 0}, in{Buffer::input, 0};
  program[0].receive({out}, Rank{1});
  program[0].send({out}, Rank{2});
  program[0].copy({{Buffer::scratch, 0}}, {out});
  program[0].send({in}, Rank{1});
  EXPECT_EQ(to_text(normalized(program)),
            "round 1\n  send output[0] to 2\n  send input[0] to 1\n  receive output[0] from 1\n"
            "  copy scratch[0] = output[0]\n");
}

TEST(Normalized, ConsecutiveBlocksAreOne) {
  Program program(1);
  program[0].send(
      {{Buffer::input, 0}, {Buffer::input, 1, 2}, {Buffer::input, 4}, {Buffer::output, 5}},
      Rank{1});
  program[0].receive({{Buffer::scratch, 0, 2, 2, 3}}, Rank{1});
  program[0].receive_combine({{Buffer::output, 0, 1, 8, 2}},
                             {local({{Buffer::input, 3}, {Buffer::input, 2}}),  //
                              remote(Rank{1})});
  EXPECT_EQ(
      to_text(normalized(program)),
      "round 1\n  send input[0..2], input[4], output[5] to 1\n  receive scratch[0..5] from 1\n"
      "  receive_combine output[0], output[8] = input[3], input[2] + from 1\n");
}

TEST(Normalized, CopiesAreForwardedHoweverTheirBlocksAreWritten) {
  Program program(1);
  program[0].copy({{Buffer::scratch, 0, 2}}, {{Buffer::input, 0, 2}});
  program.emplace_back().send({{Buffer::scratch, 0}, {Buffer::scratch, 1}}, Rank{1});
  EXPECT_EQ(to_text(normalized(program)), "round 1\nround 2\n  send input[0..1] to 1\n");
}

TEST(Normalized, TwiceIsOnce) {
  for (const Generator* g : {&both_ways, &relay, &relay_in, &star, &relay_pieces}) {
    const Program once = normalized(build(*g, {.p = 5, .segments = 3}, Rank{0}));
    EXPECT_EQ(normalized(once), once) << g->name;
  }
}

TEST(VerifyNormalized, AgreesWithTheGenerator) {
  for (const Generator* g :
       {&tree, &tree_in, &both_ways, &relay, &relay_in, &pieces, &relay_pieces}) {
    for (const int p : {1, 2, 5, 9, 13}) {
      for (const Placement placement : {Placement::separate, Placement::in_place}) {
        const Shape s{.p = p, .segments = 3};
        const Verdict raw = verify(*g, s, placement), made = verify_normalized(*g, s, placement);
        EXPECT_EQ(made.problem, raw.problem) << g->name;
        EXPECT_EQ(made.rank_order, raw.rank_order) << g->name;
        EXPECT_EQ(made.canonical, raw.canonical) << g->name;
        EXPECT_EQ(made.counts.messages, raw.counts.messages) << g->name;
      }
    }
  }
}

TEST(VerifyNormalized, TellsWhatIsWrong) {
  // A reduction over intervals of turned ranks wraps around the end.
  constexpr Generator turned = map_ranks<tree_in, distance_from_root, rank_at_distance>("turned");
  const Shape s{.p = 9, .root = 4};
  EXPECT_NE(verify_normalized(turned, s).problem, "");
  EXPECT_EQ(verify_normalized(turned, s).problem, verify(turned, s).problem);
}

}  // namespace
}  // namespace tutti::schedule

// SPDX-License-Identifier: BSD-3-Clause
// Checks theorem T4 about pipelines (docs/internals/theorems.md): on schedules that are drawn at
// random, and for each condition on one that breaks it alone and is refused.
#include <gtest/gtest.h>

#include <algorithm>

#include "drawn.hpp"
#include "schedule/printer.hpp"
#include "schedule/transforms.hpp"
#include "theorems.hpp"

namespace tutti::schedule {
namespace {

using drawn::Programs;
using drawn::table;
using namespace theorems;

constexpr const char* blind = "the number of segments is not looked at";
constexpr const char* single = "an operation takes one message";
constexpr const char* kept = "nothing that is sent is overwritten in the round";
constexpr const char* late = "local work delays no message of its round or an earlier one";
constexpr const char* one_round = "a rank sends to another one in one round only";

void look_at_round(Names& broken, const Round& round) {
  bool local = false;
  for (const Op& op : round.ops) {
    local = local || is_local(op);
    add_if(broken, local && takes_message(op), late);
    const auto messages = std::count_if(op.operands.begin(), op.operands.end(),
                                        [](const Operand& o) { return !o.is_local(); });
    add_if(broken, messages > 1, single);
    for (const Op& send : round.ops)
      add_if(broken, send.what == Do::send && takes_message(op) && overlap(op.blocks, send.blocks),
             kept);
  }
}

// The conditions that Programs break.
Names broken_by(const Programs& programs) {
  Names broken;
  for_each_round(programs, [&](const Round& round) { look_at_round(broken, round); });
  for (const Program& program : programs) {
    bool message = false;  // of an earlier round
    std::vector<int> partners;
    for (const Round& round : program) {
      const auto any = [&](auto is) { return std::any_of(round.ops.begin(), round.ops.end(), is); };
      add_if(broken, message && any(is_local), late);
      message = message || any(takes_message);
      for (const Op& op : round.ops)
        if (op.what == Do::send) partners.push_back(op.to.first);
    }
    std::sort(partners.begin(), partners.end());
    add_if(broken, std::adjacent_find(partners.begin(), partners.end()) != partners.end(),
           one_round);
  }
  return broken;
}

Programs all_programs(const Generator& g, const Shape& s) {
  Programs programs;
  for (int rank = 0; rank < s.p; ++rank) programs.push_back(build(g, s, Rank{rank}));
  return programs;
}

void take(Search& search, const Generator& g, const Generator& chunks, Shape shape) {
  const Names broken = broken_by(all_programs(g, shape));
  for (shape.segments = 1; shape.segments <= 3; ++shape.segments)
    search.take(broken, verify(chunks, shape));
}

constexpr Generator broadcast0 = drawn::generator<0, Operation::broadcast>;
constexpr Generator broadcast_chunks = pipelined<broadcast0>("chunks");
constexpr Generator reduce0 = reverse<broadcast0>("drawn", Operators::commutative);
constexpr Generator reduce_chunks = pipelined<reduce0>("chunks");
constexpr Generator allreduce2 = drawn::generator<2, Operation::allreduce>;
constexpr Generator allreduce_chunks = pipelined<allreduce2>("chunks");

const Block input{Buffer::input, 0}, output{Buffer::output, 0};
Block scratch(int i) {
  return {Buffer::scratch, i};
}

// Ranks 1 and 2 have sent their input to ranks 0 and 3. In two more rounds, ranks 0 and 3 get each
// other's input, and all get the result.
void finish(Programs& programs, std::size_t t) {
  programs[0][t].send({input}, Rank{3});
  programs[3][t].send({input}, Rank{0});
  programs[0][t].receive_combine({output}, {local({output}), remote(Rank{3})});
  programs[3][t].receive_combine({output}, {remote(Rank{0}), local({output})});
  programs[0][t + 1].send({output}, Rank{1});
  programs[3][t + 1].send({output}, Rank{2});
  programs[1][t + 1].receive({output}, Rank{0});
  programs[2][t + 1].receive({output}, Rank{3});
}

// Rank 3 takes both messages in one round and rank 0 takes them in the next one, in another order.
Programs two_messages() {
  Programs programs(4, Program(4));
  for (const int from : {1, 2}) {
    programs[static_cast<std::size_t>(from)][0].send({input}, Rank{3});
    programs[static_cast<std::size_t>(from)][1].send({input}, Rank{0});
  }
  programs[3][0].receive_combine({output}, {remote(Rank{2}), remote(Rank{1}), local({input})});
  programs[0][1].receive_combine({output}, {local({input}), remote(Rank{1}), remote(Rank{2})});
  finish(programs, 2);
  return programs;
}

// Ranks 0 and 3 take a message each in two rounds, and add up what they have after the second.
Programs late_work() {
  Programs programs(4, Program(4));
  const auto pass = [&](std::size_t t, int from, int to) {
    programs[static_cast<std::size_t>(from)][t].send({input}, Rank{to});
    programs[static_cast<std::size_t>(to)][t].receive({scratch(from - 1)}, Rank{from});
  };
  pass(0, 2, 0);
  pass(0, 1, 3);
  pass(1, 1, 0);
  pass(1, 2, 3);
  for (const std::size_t rank : {0, 3})
    programs[rank][1].combine({output}, {local({input}), local({scratch(0)}), local({scratch(1)})});
  finish(programs, 2);
  return programs;
}

// Pairs exchange what they have, at distance 1 and then 2.
Programs exchanges() {
  Programs programs(4, Program(2));
  for (int me = 0; me < 4; ++me)
    for (int t = 0; t < 2; ++t) {
      Round& round = programs[static_cast<std::size_t>(me)][static_cast<std::size_t>(t)];
      const Block mine = t == 0 ? input : output;
      round.send({mine}, Rank{me ^ (1 << t)});
      round.receive_combine({output}, {local({mine}), remote(Rank{me ^ (1 << t)})});
    }
  return programs;
}

// Sends to one rank less if there are segments.
void looking_emit(Round& out, const Shape& s, Rank me, int) {
  for (int rank = 1; rank < (s.segments > 1 ? s.p - 1 : s.p); ++rank) {
    if (num(me) == 0) out.send({output}, Rank{rank});
    if (num(me) == rank) out.receive({output}, Rank{0});
  }
}
int looking_rounds(const Shape&) {
  return 1;
}
Buffers looking_buffers(const Shape&) {
  return {0, 1, 0};
}
constexpr Generator looking{"looking",    Operation::broadcast, looking_rounds, looking_buffers,
                            looking_emit, drawn::always,        Operators::any};
constexpr Generator looking_chunks = pipelined<looking>("chunks");

void take_schedules_that_break_one(Search& search) {
  table<2>.buffers = {1, 1, 2, 1};
  for (const Programs& programs : {two_messages(), late_work(), exchanges()}) {
    table<2>.of_root = {programs};
    EXPECT_EQ(verify(allreduce2, {.p = 4}).problem, "");
    take(search, allreduce2, allreduce_chunks, {.p = 4});
  }
  EXPECT_EQ(verify(looking, {.p = 4}).problem, "");
  search.take({blind}, verify(looking_chunks, {.p = 4, .segments = 2}));
}

TEST(Theorems, T4Pipelines) {
  std::mt19937 random(4);
  Search search({blind, single, kept, late, one_round});
  take_schedules_that_break_one(search);
  for (int i = 0; i < 4000; ++i) {
    const Draw draw(random);
    const drawn::Liberties liberties{random() % 3 == 0, random() % 4 == 0};
    table<0>.buffers = {0, draw.blocks, liberties.scratch ? 2 * draw.blocks : 0, draw.blocks};
    table<0>.of_root = {
        drawn::draw_broadcast(random, draw.p, draw.root, draw.blocks, draw.rounds, liberties)};
    if (!verify(broadcast0, draw.shape()).correct()) continue;
    take(search, broadcast0, broadcast_chunks, draw.shape());
    if (verify(reduce0, draw.shape()).correct()) take(search, reduce0, reduce_chunks, draw.shape());
  }
  search.finish();
}

}  // namespace
}  // namespace tutti::schedule

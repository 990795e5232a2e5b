// SPDX-License-Identifier: BSD-3-Clause
// Checks the theorems about transforms (docs/internals/theorems.md) on small schedules that are
// drawn at random. Where all conditions of a theorem hold, the verifier has to accept what the
// transform makes. For each condition, it has to refuse what becomes of some schedule that breaks
// no other one, so no condition is there for nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "drawn.hpp"
#include "schedule/transforms.hpp"
#include "theorems.hpp"

namespace tutti::schedule {
namespace {

using drawn::Programs;
using drawn::table;
using namespace theorems;

// Fills table n with a broadcast. Returns false if the drawn schedule is none.
template <int n>
bool draw_broadcast(std::mt19937& random, const Draw& draw, drawn::Liberties liberties) {
  table<n>.buffers = {0, draw.blocks, liberties.scratch ? 2 * draw.blocks : 0, draw.blocks};
  table<n>.of_root = {
      drawn::draw_broadcast(random, draw.p, draw.root, draw.blocks, draw.rounds, liberties)};
  return verify(drawn::generator<n, Operation::broadcast>, draw.shape()).correct();
}

constexpr const char* plain = "only sends and receives, in output";
constexpr const char* once = "each block arrives once, and never at the root";
constexpr const char* lists = "lists of a round are equal and adjacent, or disjoint";

bool lists_fit(const Round& round) {
  std::vector<const Op*> sends;
  for (const Op& op : round.ops)
    if (op.what == Do::send) sends.push_back(&op);
  for (std::size_t i = 0; i < sends.size(); ++i)
    for (std::size_t j = i + 1; j < sends.size(); ++j) {
      const bool equal = sends[i]->blocks == sends[j]->blocks;
      if (equal ? sends[i]->blocks != sends[j - 1]->blocks
                : overlap(sends[i]->blocks, sends[j]->blocks))
        return false;
    }
  return true;
}

// The conditions of T2 that a broadcast breaks.
Names broken_by_reversal(const Programs& programs, int root) {
  Names broken;
  for_each_round(programs, [&](const Round& round) {
    add_if(broken, !lists_fit(round), lists);
    for (const Op& op : round.ops) {
      bool elsewhere = is_local(op);
      for (const Block& b : op.blocks) elsewhere = elsewhere || b.buffer != Buffer::output;
      add_if(broken, elsewhere, plain);
    }
  });
  for (int rank = 0; rank < static_cast<int>(programs.size()); ++rank) {
    std::vector<std::pair<int, int>> arrived;
    for (const Round& round : programs[static_cast<std::size_t>(rank)])
      for (const Op& op : round.ops)
        if (takes_message(op))
          for (const auto& cell : cells_of(op.blocks)) arrived.push_back(cell);
    std::sort(arrived.begin(), arrived.end());
    const bool twice = std::adjacent_find(arrived.begin(), arrived.end()) != arrived.end();
    add_if(broken, twice || (rank == root && !arrived.empty()), once);
  }
  return broken;
}

constexpr Generator broadcast0 = drawn::generator<0, Operation::broadcast>;
constexpr Generator broadcast1 = drawn::generator<1, Operation::broadcast>;
constexpr Generator reduce0 = reverse<broadcast0>("drawn", Operators::commutative);

TEST(Theorems, T2ReversedBroadcastsReduce) {
  std::mt19937 random(2);
  Search search({plain, once, lists});
  for (int i = 0; i < 6000; ++i) {
    const Draw draw(random);
    const drawn::Liberties liberties{random() % 3 == 0, random() % 3 == 0};
    if (!draw_broadcast<0>(random, draw, liberties)) continue;
    const Names broken = broken_by_reversal(table<0>.of_root.front(), draw.root);
    search.take(broken, verify(reduce0, draw.shape()));
    if (broken.empty()) search.take({}, verify(reduce0, draw.shape(), Placement::in_place));
  }
  search.finish();
}

constexpr const char* alone = "no block is on two ranks";

// A rank that has sent a block, or copied it, has it no more.
bool is_alone(const Programs& programs) {
  for (const Program& program : programs) {
    std::vector<std::pair<int, int>> read;
    for (const Round& round : program)
      for (const Op& op : round.ops) {
        if (op.what == Do::receive) continue;
        for (const auto& cell : cells_of(is_local(op) ? op.operands.front().local : op.blocks))
          read.push_back(cell);
      }
    std::sort(read.begin(), read.end());
    if (std::adjacent_find(read.begin(), read.end()) != read.end()) return false;
  }
  return true;
}

constexpr Generator scatter0 = drawn::generator<0, Operation::scatter>;
constexpr Generator gather0 = reverse<scatter0>("drawn", Operators::commutative);

TEST(Theorems, T2ReversedScattersGather) {
  std::mt19937 random(22);
  Search search({alone});
  for (int i = 0; i < 4000; ++i) {
    const Draw draw(random);
    table<0>.buffers = {
        .input = draw.p, .output = 1, .scratch = draw.p, .parts = draw.p, .output_own_part = true};
    table<0>.of_root = {
        drawn::draw_scatter(random, draw.p, draw.root, draw.rounds, random() % 2 == 0)};
    if (!verify(scatter0, draw.shape()).correct()) continue;
    Names broken;
    add_if(broken, !is_alone(table<0>.of_root.front()), alone);
    search.take(broken, verify(gather0, draw.shape()));
  }
  search.finish();
}

// Maps of ranks for T1.
std::vector<int> numbers, ranks;
int to_number(const Shape&, int rank) {
  return numbers[static_cast<std::size_t>(rank)];
}
int to_rank(const Shape&, int number) {
  return ranks[static_cast<std::size_t>(number)];
}

void draw_maps(std::mt19937& random, int p, bool inverse) {
  numbers.resize(static_cast<std::size_t>(p));
  std::iota(numbers.begin(), numbers.end(), 0);
  std::shuffle(numbers.begin(), numbers.end(), random);
  ranks.resize(numbers.size());
  for (int rank = 0; rank < p; ++rank) ranks[static_cast<std::size_t>(to_number({}, rank))] = rank;
  if (!inverse) std::shuffle(ranks.begin(), ranks.end(), random);
}

bool maps_are_inverse() {
  for (std::size_t rank = 0; rank < numbers.size(); ++rank)
    if (to_rank({}, numbers[rank]) != static_cast<int>(rank)) return false;
  return true;
}

constexpr Generator mapped_broadcast = map_ranks<broadcast0, to_number, to_rank>("mapped");
constexpr Generator mapped_scatter = map_ranks<scatter0, to_number, to_rank>("mapped");
constexpr Generator reduce_in_order = reverse<broadcast0>("in order");
constexpr Generator mapped_reduce = map_ranks<reduce_in_order, to_number, to_rank>("mapped");

constexpr const char* inverse = "the maps undo each other";
constexpr const char* rooted = "rounds do not depend on the root";
constexpr const char* ownerless = "blocks belong to no rank";
constexpr const char* increasing = "the map is increasing, or operators commute";

// Fills table 0 with Programs for all roots. Returns false if one of them is wrong.
template <class F>
bool draw_all_roots(std::mt19937& random, Draw draw, const Generator& g, F programs_of) {
  const bool equal = random() % 4 != 0;
  table<0>.of_root.clear();
  for (draw.root = 0; draw.root < draw.p; ++draw.root) {
    if (!equal) draw.rounds = 2 + static_cast<int>(random() % 3);
    table<0>.of_root.push_back(programs_of(draw));
  }
  for (draw.root = 0; draw.root < draw.p; ++draw.root)
    if (!verify(g, draw.shape()).correct()) return false;
  return true;
}

Names broken_by_maps(const Draw& draw) {
  Names broken;
  add_if(broken, !maps_are_inverse(), inverse);
  for (const Programs& programs : table<0>.of_root)
    add_if(broken, programs.front().size() != table<0>.of_root.front().front().size(), rooted);
  static_cast<void>(draw);
  return broken;
}

TEST(Theorems, T1RenumberedRanks) {
  std::mt19937 random(1);
  Search search({inverse, rooted, ownerless, increasing});
  for (int i = 0; i < 8000; ++i) {
    const Draw draw(random);
    draw_maps(random, draw.p, random() % 4 != 0);
    const bool increases = std::is_sorted(numbers.begin(), numbers.end());
    table<0>.buffers = {0, draw.blocks, 0, draw.blocks};
    const auto broadcast = [&](const Draw& d) {
      return drawn::draw_broadcast(random, d.p, d.root, d.blocks, d.rounds, {});
    };
    if (draw_all_roots(random, draw, broadcast0, broadcast)) {
      Names broken = broken_by_maps(draw);
      search.take(broken, verify(mapped_broadcast, draw.shape()));
      bool ordered = true;
      for (int root = 0; root < draw.p; ++root)
        ordered = ordered && verify(reduce_in_order, {.p = draw.p, .root = root}).correct();
      add_if(broken, !increases, increasing);
      if (ordered) search.take(broken, verify(mapped_reduce, draw.shape()));
    }
    table<0>.buffers = {
        .input = draw.p, .output = 1, .scratch = draw.p, .parts = draw.p, .output_own_part = true};
    const auto scatter = [&](const Draw& d) {
      return drawn::draw_scatter(random, d.p, d.root, d.rounds, false);
    };
    if (!increases && draw_all_roots(random, draw, scatter0, scatter)) {
      Names broken = broken_by_maps(draw);
      broken.insert(ownerless);
      search.take(broken, verify(mapped_scatter, draw.shape()));
    }
  }
  search.finish();
}

constexpr Generator sum_and_spread = then<reduce0, broadcast1>("drawn");
constexpr Generator silent = without_data<sum_and_spread>("drawn");

constexpr const char* follows = "the second begins with the result of the first";
constexpr const char* divisible = "the parts of the whole are cut finer than those of each";
constexpr const char* merged = "cells that become one are not in use together";

bool uses_own_cells(const Programs& programs, int blocks) {
  bool own = false;
  for_each_round(programs, [&](const Round& round) {
    for (const Op& op : round.ops)
      for (const Block& b : op.blocks)
        own = own || (b.buffer == Buffer::scratch && b.first >= blocks);
  });
  return own;
}

TEST(Theorems, T3CompositionsAndT5Barriers) {
  std::mt19937 random(3);
  Search composed({follows, divisible, merged}), barriers({"the allreduce is right"});
  for (int i = 0; i < 20000; ++i) {
    const Draw first(random);
    Draw second(random);
    second.p = first.p;
    const bool same_root = random() % 4 != 0;
    second.root = same_root ? first.root : (first.root + 1) % first.p;
    if (!draw_broadcast<0>(random, first, {}) ||
        !draw_broadcast<1>(random, second, {false, random() % 4 == 0}) ||
        !broken_by_reversal(table<0>.of_root.front(), first.root).empty())
      continue;
    Names broken;
    add_if(broken, !same_root, follows);
    add_if(broken, uses_own_cells(table<1>.of_root.front(), second.blocks), merged);
    const Verdict verdict = verify(sum_and_spread, first.shape());
    composed.take(broken, verdict);
    barriers.take(verdict.correct() ? Names{} : Names{"the allreduce is right"},
                  verify(silent, first.shape()));
    // Blocks of 2 parts and of 3 have no common cut into 3.
    if (!broken.empty()) continue;
    const Draw three(random);
    second.blocks = first.blocks == 2 ? 3 : 2;
    if (!draw_broadcast<1>(random, second, {})) continue;
    add_if(broken, first.blocks == 2, divisible);
    composed.take(broken, verify(sum_and_spread, first.shape()));
  }
  composed.finish();
  barriers.finish();
}

}  // namespace
}  // namespace tutti::schedule

// SPDX-License-Identifier: BSD-3-Clause
// Small generators that the tests transform and break.
#pragma once

#include "schedule/generator.hpp"

namespace tutti::schedule::samples {

constexpr bool always(const Shape&) {
  return true;
}
inline Buffers one_output(const Shape&) {
  return {0, 1, 0};
}

// Broadcasts one block along the chain 0 -> 1 -> ... -> p-1.
inline int chain_rounds(const Shape& s) {
  return s.p - 1;
}
inline void chain_emit(Round& out, const Shape& s, Rank me, int t) {
  if (num(me) == t && t + 1 < s.p) out.send({{Buffer::output, 0}}, Rank{t + 1});
  if (num(me) == t + 1) out.receive({{Buffer::output, 0}}, Rank{t});
}
constexpr Generator chain{"chain", Operation::broadcast, chain_rounds, one_output, chain_emit,
                          always,  Operators::any};

// Broadcasts from root 0. In round t, every rank below 3^t, which has the data, sends them to two
// others.
inline int tree_rounds(const Shape& s) {
  int rounds = 0;
  for (int n = 1; n < s.p; n *= 3) ++rounds;
  return rounds;
}
inline void tree_emit(Round& out, const Shape& s, Rank me, int t) {
  int distance = 1;
  for (int k = tree_rounds(s) - 1; k > t; --k) distance *= 3;
  const int above = num(me) % (3 * distance);
  if (above == 0) {
    for (int j = 1; j <= 2 && num(me) + j * distance < s.p; ++j)
      out.send({{Buffer::output, 0}}, Rank{num(me) + j * distance});
  } else if (above % distance == 0) {
    out.receive({{Buffer::output, 0}}, Rank{num(me) - above});
  }
}
constexpr Generator tree{"tree", Operation::broadcast, tree_rounds, one_output, tree_emit,
                         always, Operators::any};

// The root sends to all others at once.
inline int star_rounds(const Shape& s) {
  return s.p > 1 ? 1 : 0;
}
inline void star_emit(Round& out, const Shape& s, Rank me, int) {
  if (num(me) == s.root) return out.send({{Buffer::output, 0}}, Ranks{0, s.p, 1, s.root});
  out.receive({{Buffer::output, 0}}, Rank{s.root});
}
constexpr Generator star{"star", Operation::broadcast, star_rounds, one_output, star_emit,
                         always, Operators::any};

// All blocks travel down the chain together. Each rank keeps the first.
inline int relay_rounds(const Shape& s) {
  return s.p;
}
inline Buffers relay_buffers(const Shape& s) {
  return {s.p, 1, s.p, s.p, false, true};
}
inline void relay_emit(Round& out, const Shape& s, Rank rank, int t) {
  const int me = num(rank);
  if (me == t && me + 1 < s.p)
    out.send({{me == 0 ? Buffer::input : Buffer::scratch, me + 1, s.p - me - 1}}, Rank{me + 1});
  if (me == t + 1) {
    Blocks blocks{{Buffer::output, 0}};
    if (me + 1 < s.p) blocks.push_back({Buffer::scratch, me + 1, s.p - me - 1});
    out.receive(blocks, Rank{t});
  }
  if (me == 0 && t == 0) out.copy({{Buffer::output, 0}}, {{Buffer::input, 0}});
}
constexpr Generator relay{"relay", Operation::scatter, relay_rounds, relay_buffers, relay_emit,
                          always,  Operators::any};

}  // namespace tutti::schedule::samples

// SPDX-License-Identifier: BSD-3-Clause
// The recursion behind minimum spanning trees, for mst.cpp and hybrid_steps.cpp. One member of an
// interval holds what all are to get. The interval is halved until every member is alone. There are
// ceil_log2(size) rounds, for every holder and size of the interval.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "schedule/program.hpp"

namespace tutti::algorithms {

using schedule::Int;
using schedule::Truth;

// One halving of [low, high) at `middle`. `holder` serves the whole interval. It sends to `child`,
// the first member of the half without the holder, which then serves that half.
struct IntervalHalving {
  Int low, middle, high;
  Int holder, child;
  // The members of the half that `child` serves are [first(), last()).
  Int first() const { return child == middle ? middle : low; }
  Int last() const { return child == middle ? high : middle; }
};

// Returns how many of n members make up the left half, if `holder` members lie before the holder.
using LeftHalf = Int (*)(Int n, Int holder);

// Makes halves as equal as possible, the larger one with the holder. This sends the least data if
// each member has a block of its own.
inline Int balanced_half(Int n, Int holder) {
  return holder < (n + 1) / 2 ? (n + 1) / 2 : n / 2;
}
// Makes halves that are balanced after folding adjacent pairs until a power of two is left. A
// reduction then has the canonical tree (Expressions::canonical).
inline Int folded_half(Int n, Int) {
  const Int cores = schedule::bit_floor(n);
  return cores / 2 + std::min<Int>(n - cores, cores / 2);
}

// The interval [low, high) that a member is in, and the one of its members that holds what all are
// to get.
struct RankInterval {
  Int low, high;
  Int holder;
  Int me;
  LeftHalf left_half;
  static constexpr const char* lemma = "the intervals of the halving";
  [[nodiscard]] Truth is_alone() const { return high - low <= 1; }
  friend bool operator==(const RankInterval&, const RankInterval&) = default;
};

inline IntervalHalving halving_of(const RankInterval& i) {
  const Int middle = i.low + i.left_half(i.high - i.low, i.holder - i.low);
  return {i.low, middle, i.high, i.holder, i.holder < middle ? middle : i.low};
}

// Returns the half with the member.
inline RankInterval half_of(const RankInterval& i) {
  if (i.is_alone()) return i;
  const IntervalHalving halving = halving_of(i);
  const bool left = i.me < halving.middle, holder_left = i.holder < halving.middle;
  const Int holder = left == holder_left ? i.holder : halving.child;
  return left ? RankInterval{i.low, halving.middle, holder, i.me, i.left_half}
              : RankInterval{halving.middle, i.high, holder, i.me, i.left_half};
}

// The proofs know four things of an interval before round t (see schedule/after.hpp of
// study/prove/). These numbers of it change from round to round. It gets small in time, and the
// first holder stays one. Members that differ in nothing else are siblings. They agree on an
// interval that both are in. All of this is true only from a start with members of [0, n) on, for n
// up to 2^30.
inline std::array<Int*, 3> numbers_of(RankInterval& i) {
  return {&i.low, &i.high, &i.holder};
}
inline Truth is_start(const RankInterval& start, Int t) {
  return schedule::all({0 <= t, start.low == 0, start.high <= schedule::largest_p, 0 <= start.me,
                        start.me < start.high, 0 <= start.holder, start.holder < start.high});
}
inline Truth is_good(const RankInterval& start, Int t, const RankInterval& i) {
  const Int left = schedule::ceil_log2(start.high) - t;
  return schedule::all(
      {start.low <= i.low, i.low <= i.me, i.me < i.high, i.high <= start.high, i.low <= i.holder,
       i.holder < i.high,
       schedule::implies(schedule::all({i.low <= start.holder, start.holder < i.high}),
                         i.holder == start.holder),
       i.high - i.low <= (left > 0 ? 1 << left : Int{1})});
}
inline bool are_siblings(const RankInterval& start, const RankInterval& other) {
  return RankInterval{start.low, start.high, start.holder, other.me, start.left_half} == other;
}
inline Truth agree(const RankInterval& a, const RankInterval& b) {
  return schedule::implies(schedule::all({a.low <= b.me, b.me < a.high}),
                           schedule::all({a.low == b.low, a.high == b.high, a.holder == b.holder}));
}

// Returns the interval of member `me` before round t, for n members and `holder`.
inline RankInterval interval_of_round(Int n, Int holder, Int me, Int t, LeftHalf left_half) {
  return schedule::after(t, RankInterval{0, n, holder, me, left_half}, half_of);
}

// Returns the halving of round t that concerns member `me`. Returns nothing if `me` was alone
// before that round.
inline std::optional<IntervalHalving> halving_of_round(Int n, Int holder, Int me, Int t,
                                                       LeftHalf left_half) {
  const RankInterval mine = interval_of_round(n, holder, me, t, left_half);
  if (mine.is_alone()) return std::nullopt;
  return halving_of(mine);
}

}  // namespace tutti::algorithms

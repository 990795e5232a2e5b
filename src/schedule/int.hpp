// SPDX-License-Identifier: BSD-3-Clause
// The integers of schedules: numbers of ranks, rounds and blocks. Here they are the machine's. The
// program that proves generators for every p (study/prove/) compiles the same sources with a header
// of this name in which an Int is a term of an expression and a comparison may have both answers.
// So what it proves is what runs here. A generator uses Int for what depends on p, the root, the
// rank or the round, and plain int for what does not.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace tutti::schedule {

using Int = int;
// Holds numbers that may exceed an Int.
using Wide = std::int64_t;
// The result of a comparison. Where a bool is needed, it becomes one.
using Truth = bool;
// The factors of a shape. In a proof, nothing can be read from them.
using FactorList = std::span<const int>;

// Smallest q with 2^q >= p; 0 for p <= 1.
constexpr Int ceil_log2(Int p) {
  Int q = 0;
  while ((1 << q) < p) ++q;
  return q;
}
// The largest power of two that is at most n; n >= 1.
constexpr Int bit_floor(Int n) {
  return static_cast<Int>(std::bit_floor(static_cast<unsigned>(n)));
}

// Logic for invariants: all parts are computed, so that a proof need not try them in turn.
constexpr Truth implies(Truth a, Truth b) {
  return !a || b;
}
constexpr Truth all(std::initializer_list<Truth> list) {
  bool result = true;
  for (const bool part : list) result = result && part;
  return result;
}

// Returns the state that `step` has led to after t steps from `state`. A loop of t steps is written
// so, because a proof knows no t at which it could stop.
template <class State, class Step>
constexpr State after(Int t, State state, Step step) {
  for (Int i = 0; i < t; ++i) state = step(state);
  return state;
}

// Calls body(i) for each i with first <= i < last. A loop over ranks is written so, because a proof
// cannot take its unknown number of steps one by one; it looks at any of them.
template <class Body>
constexpr void for_each(Int first, Int last, Body body) {
  for (Int i = first; i < last; ++i) body(i);
}

}  // namespace tutti::schedule

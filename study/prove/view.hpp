// SPDX-License-Identifier: BSD-3-Clause
// Views of a round. A round may have operations, or a combine operands, that a loop over ranks
// emits. There are too many of them to look at each, so a statement looks at a few steps of the
// loops at a time. What it shows of any step holds for all of them, and what it shows of any two
// steps holds for all pairs ("Loops over ranks" in docs/internals/theorems.md).
#pragma once

#include "schedule/generator.hpp"

namespace tutti::prove {

enum class Steps {
  all,           // the round as it is; a loop with an unknown number of steps stops the proof
  none,          // what stands outside of loops
  any,           // one unknown step of each loop
  any_two,       // two of them, or one if a loop has only one
  any_and_ends,  // the first step, the last one, and an unknown one
  first,
  last,
  neighbours,  // two unknown steps, one after the other, or one if a loop has only one
  one          // the step with a number; none if a loop does not have it
};

struct View {
  Steps steps = Steps::all;
  schedule::Int number = 0;  // the step that Steps::one looks at
};

[[nodiscard]] inline View step_number(const schedule::Int& number) {
  return {Steps::one, number};
}

// The part of a round that a view shows.
struct RoundView : schedule::Round {
  bool is_part = false;  // the round has loops, so that it may have more operations or operands
};

// Returns what the generator emits, as far as the view shows it.
[[nodiscard]] RoundView view_of(const schedule::Generator& generator, const schedule::Shape& shape,
                                const schedule::Rank& rank, const schedule::Int& t,
                                const View& view);

// For mutants: a change of the loops, made while it lives. Loops begin and end elsewhere, their
// bodies run for another number, or twice.
struct LoopChange {
  int first = 0, last = 0, number = 0;
  bool twice = false;
};
class ChangedLoops {
 public:
  explicit ChangedLoops(const LoopChange& change);
  ~ChangedLoops();
  ChangedLoops(const ChangedLoops&) = delete;
  ChangedLoops& operator=(const ChangedLoops&) = delete;
};

// Returns true if a round of the generator has loops, whatever they emit.
[[nodiscard]] bool has_loops(const schedule::Generator& generator);

}  // namespace tutti::prove

// SPDX-License-Identifier: BSD-3-Clause
#include "view.hpp"

#include "path.hpp"

namespace tutti::prove {
namespace {

using schedule::Generator;
using schedule::Operation;
using schedule::Transform;

// Tells loops which of their steps to emit, and gets told that there are loops.
struct Looking {
  View view;
  bool loops = false;
};
Looking* looking = nullptr;

LoopChange change;
std::int64_t loops_met = 0;

class Look {
 public:
  explicit Look(Looking& here) { looking = &here; }
  ~Look() { looking = nullptr; }
  Look(const Look&) = delete;
  Look& operator=(const Look&) = delete;
};

Int any_step(const Int& first, const Int& last) {
  const Int step = path().unknown("step");
  path().assume(first <= step);
  path().assume(step < last);
  return step;
}

std::vector<Int> any_two_steps(const Int& first, const Int& last) {
  if (last - first < 2) return {first};
  const Int other = any_step(first + 1, last);
  return {any_step(first, other), other};
}

std::vector<Int> any_step_and_ends(const Int& first, const Int& last) {
  std::vector<Int> steps{first};
  const Int step = any_step(first, last);
  if (step > first) steps.push_back(step);
  if (step < last - 1) steps.push_back(last - 1);
  return steps;
}

std::vector<Int> neighbouring_steps(const Int& first, const Int& last) {
  if (last - first < 2) return {first};
  const Int step = any_step(first, last - 1);
  return {step, step + 1};
}

// The steps of a loop that has at least one.
std::vector<Int> steps_in(const View& view, const Int& first, const Int& last) {
  switch (view.steps) {
    case Steps::any:
      return {any_step(first, last)};
    case Steps::any_two:
      return any_two_steps(first, last);
    case Steps::any_and_ends:
      return any_step_and_ends(first, last);
    case Steps::first:
      return {first};
    case Steps::last:
      return {last - 1};
    case Steps::neighbours:
      return neighbouring_steps(first, last);
    case Steps::one:
      if (view.number < first || view.number >= last) return {};
      return {view.number};
    default:
      return {};
  }
}

std::vector<Int> all_steps(std::int64_t first, std::int64_t last) {
  std::vector<Int> steps;
  for (std::int64_t i = first; i < last; ++i) steps.push_back({i, nullptr});
  return steps;
}

// Transforms that rewrite each operation for itself, and each operand, give the same view of their
// result. Others may join what several steps have emitted.
bool keeps_steps_apart(const Generator& generator) {
  const schedule::Derivation& made = generator.made;
  switch (made.by) {
    case Transform::none:
      return true;
    case Transform::map_ranks:
      return keeps_steps_apart(*made.first);
    case Transform::then:
      return keeps_steps_apart(*made.first) && keeps_steps_apart(*made.second);
    case Transform::reverse:
      return (made.first->operation == Operation::scatter ||
              made.first->operation == Operation::gather) &&
             keeps_steps_apart(*made.first);
    default:
      return false;
  }
}

std::vector<Int> shown_steps(const Int& first, const Int& last) {
  const bool whole = looking == nullptr || looking->view.steps == Steps::all;
  if ((whole && path().uses_numbers()) || (first.is_number() && last.is_number()))
    return all_steps(first.number(), last.number());
  if (whole) throw Unsupported{"a loop with an unknown number of steps"};
  looking->loops = true;
  if (looking->view.steps == Steps::none || !(first < last)) return {};
  return steps_in(looking->view, first, last);
}

}  // namespace

std::vector<Int> steps_of_loop(const Int& first, const Int& last) {
  ++loops_met;
  std::vector<Int> steps;
  for (const Int& step : shown_steps(first + change.first, last + change.last)) {
    steps.push_back(step + change.number);
    if (change.twice) steps.push_back(steps.back());
  }
  return steps;
}

ChangedLoops::ChangedLoops(const LoopChange& made) {
  change = made;
}

ChangedLoops::~ChangedLoops() {
  change = {};
}

bool has_loops(const Generator& generator) {
  const std::int64_t before = loops_met;
  schedule::Shape shape;
  shape.p = 4;
  static_cast<void>(explore_numbers([&] {
    for (Int t = 0; generator.applies(shape) && t < generator.rounds(shape); ++t) {
      for (int rank = 0; rank < 4; ++rank) {
        schedule::Round round;
        generator.emit(round, shape, schedule::Rank{rank}, t);
      }
    }
  }));
  return loops_met > before;
}

RoundView view_of(const Generator& generator, const schedule::Shape& shape,
                  const schedule::Rank& rank, const Int& t, const View& view) {
  RoundView round;
  Looking here{view};
  const Look look(here);
  generator.emit(round, shape, rank, t);
  round.is_part = here.loops;
  if (round.is_part && !keeps_steps_apart(generator))
    throw Unsupported{"a loop in a transform that joins operations"};
  return round;
}

}  // namespace tutti::prove

// SPDX-License-Identifier: BSD-3-Clause
#include "statement.hpp"

namespace tutti::prove {

Shape some_shape(const Generator& generator) {
  Shape shape;
  shape.p = path().unknown("p");
  path().assume(shape.p <= schedule::largest_p);
  path().look_at_ranks(shape.p);
  // With one rank, most terms are numbers and few questions are left. With more, few depend on it.
  if (path().choose(2) == 0) {
    path().assume(shape.p == 1);
    shape.p = 1;
  } else {
    path().assume(2 <= shape.p);
  }
  shape.root = some_rank(shape, "root");
  // A generator that reads one of them has a parameter, and is not looked at. Theorem T4 asks for
  // this where it says something of all numbers of segments.
  shape.branches = shape.rings = shape.segments = shape.cut = unreadable();
  shape.factors = schedule::FactorList::unreadable();
  if (!generator.applies(shape)) path().assume(false);
  return shape;
}

Int some_rank(const Shape& shape, const char* name) {
  const Int rank = path().unknown(name);
  path().assume(0 <= rank);
  path().assume(rank < shape.p);
  return rank;
}

Int some_part(const Memory& memory) {
  const Int part = path().unknown("part");
  path().assume(0 <= part);
  path().assume(part < memory.number_of_parts());
  return part;
}

void learn_fact(const Stage& stage, const Shape& shape, const Int& t) {
  const Truth is_round = schedule::all({0 <= t, t < stage.rounds(shape)});
  path().learn_where(is_round, stage.fact(shape, t), stage.lemma);
}

Step::Step(const Subject& of, const View& view)
    : subject(of), memory(of, some_shape(*of.generator)) {
  const Shape& shape = memory.shape();
  const int number = path().choose(static_cast<int>(of.stages.size()));
  path().look_at_stage(number);
  stage = of.stages[static_cast<std::size_t>(number)];
  me = some_rank(shape, "rank");
  t = path().unknown("round");
  path().assume(0 <= t);
  path().assume(t < stage.rounds(shape));
  whole = number == 0 ? t : of.stages.front().rounds(shape) + t;
  learn_fact(stage, shape, t);
  round = round_of(me, view);
}

const schedule::Op& Step::some_operation() const {
  if (round.ops.empty()) path().assume(false);
  return round.ops[static_cast<std::size_t>(path().choose(static_cast<int>(round.ops.size())))];
}

}  // namespace tutti::prove

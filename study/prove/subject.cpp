// SPDX-License-Identifier: BSD-3-Clause
// Derives the invariants of generators that transforms have made. Only the invariant is derived
// here. The rounds that obligations look at come from the transform's own code.
#include "subject.hpp"

#include "schedule/compose.hpp"

namespace tutti::prove {
namespace {

using schedule::Derivation;
using schedule::Transform;

Kind kind_of(const Generator& generator) {
  if (generator.operation == Operation::barrier) return Kind::news;
  if (!combines(generator.operation)) return Kind::data;
  return generator.commutative_only() ? Kind::sums : Kind::ordered_sums;
}

Stage stage_of(const Generator& generator);

// The parts of a composition are asked, too, because the composition may not name their parameter.
void refuse_parameter(const Generator& generator) {
  if (generator.parameter != schedule::Parameter::none)
    throw Unsupported{"a proof for every value of its parameter"};
}

// Another numbering of the ranks: what the rank with that number holds.
Stage renumbered(const Generator& generator) {
  const Derivation made = generator.made;
  const Stage inner = stage_of(*made.first);
  Stage stage = inner;
  const auto numbered = [made](const Shape& s) {
    Shape shape = s;
    shape.root = made.to_number(s, s.root);
    return shape;
  };
  stage.held = [=](const Shape& s, const Rank& me, const Int& t, const Int& part) {
    return inner.held(numbered(s), Rank{made.to_number(s, num(me))}, t, part);
  };
  stage.fact = [=](const Shape& s, const Int& t) { return inner.fact(numbered(s), t); };
  return stage;
}

// A broadcast backwards. Whoever has the data before a round of the broadcast holds a sum after
// that round, reversed. Before them, round 0 copies the input.
Stage reversed_broadcast(const Generator& forward) {
  const Stage inner = stage_of(forward);
  Stage stage = inner;
  stage.held = [=](const Shape& s, const Rank& me, const Int& t, const Int& part) {
    if (t == 0) return schedule::held_sum(Buffer::input, part, num(me), num(me) + 1);
    Held had = inner.held(s, me, inner.rounds(s) + 1 - t, part);
    had.buffer = num(me) == s.root ? Buffer::output : Buffer::scratch;
    return had;
  };
  stage.fact = [=](const Shape& s, const Int& t) {
    return t == 0 ? Truth(true) : inner.fact(s, inner.rounds(s) - t);
  };
  return stage;
}

// A scatter backwards: input and output are exchanged.
Stage reversed_scatter(const Generator& forward) {
  const Stage inner = stage_of(forward);
  Stage stage = inner;
  stage.held = [=](const Shape& s, const Rank& me, const Int& t, const Int& part) {
    Held had = inner.held(s, me, inner.rounds(s) - t, part);
    if (had.buffer != Buffer::scratch)
      had.buffer = had.buffer == Buffer::input ? Buffer::output : Buffer::input;
    return had;
  };
  stage.fact = [=](const Shape& s, const Int& t) { return inner.fact(s, inner.rounds(s) - 1 - t); };
  return stage;
}

Stage derived(const Generator& generator) {
  const Derivation made = generator.made;
  switch (made.by) {
    case Transform::map_ranks:
      return renumbered(generator);
    case Transform::reverse:
      if (made.first->operation == Operation::broadcast) return reversed_broadcast(*made.first);
      if (made.first->operation == Operation::scatter) return reversed_scatter(*made.first);
      throw Unsupported{"an invariant of this reversal"};
    case Transform::none:
      throw Unsupported{"no invariant is stated"};
    default:
      throw Unsupported{"no invariant is derived through this transform"};
  }
}

// Returns the stage of a generator that is no composition.
Stage stage_of(const Generator& generator) {
  refuse_parameter(generator);
  Stage stage;
  if (generator.invariant.held == nullptr) {
    stage = derived(generator);
  } else {
    stage.held = generator.invariant.held;
    stage.lemma = generator.invariant.lemma;
    const auto fact = generator.invariant.fact;
    stage.fact = [fact](const Shape& s, const Int& t) {
      return fact == nullptr ? Truth(true) : fact(s, t);
    };
  }
  stage.rounds = generator.rounds;
  stage.kind = kind_of(generator);
  stage.operation = generator.operation;
  return stage;
}

// What a part of a composition holds, in the composition's own buffers and blocks.
Stage moved(const Generator& first, const Generator& second, bool is_first) {
  const Generator& part_of = is_first ? first : second;
  const Stage inner = stage_of(part_of);
  Stage stage = inner;
  stage.held = [&first, &second, &part_of, is_first, inner](const Shape& s, const Rank& me,
                                                            const Int& t, const Int& part) {
    const Int finer =
        schedule::detail::composed_buffers(first, second, s).parts / part_of.buffers(s).parts;
    const Int coarse = part / finer;
    Held held = inner.held(s, me, t, coarse);
    if (!held.any) return held;
    const Block block = schedule::detail::composed_block(first, second, s, me, is_first,
                                                         Block{held.buffer, held.index});
    held.buffer = block.buffer;
    held.index = block.first + (part - coarse * finer);
    return held;
  };
  return stage;
}

}  // namespace

std::vector<Stage> stages_of(const Generator& generator) {
  refuse_parameter(generator);
  const Derivation& made = generator.made;
  if (made.by != Transform::then) return {stage_of(generator)};
  // Only the first of two stages adds sums in the pairs that fit, and the second one takes its
  // result for data.
  if (schedule::detail::composed_operation(made.first->operation, made.second->operation) !=
      generator.operation)
    throw Unsupported{"the two operations do not fit, or make another one"};
  return {moved(*made.first, *made.second, true), moved(*made.first, *made.second, false)};
}

}  // namespace tutti::prove

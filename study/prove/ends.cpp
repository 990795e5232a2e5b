// SPDX-License-Identifier: BSD-3-Clause
// Obligations on the beginning and the end: the invariant begins with what the operation gives,
// each stage begins with what the one before it has completed, and the last one ends with the
// result.
#include "statement.hpp"

namespace tutti::prove {
namespace {

using schedule::all;

struct Moment {
  Memory memory;
  Int me, part;
  explicit Moment(const Subject& subject)
      : memory(subject, some_shape(*subject.generator)),
        me(some_rank(memory.shape(), "rank")),
        part(some_part(memory)) {}

  [[nodiscard]] Held begin_of(const Stage& stage) const {
    return stage.held(memory.shape(), Rank{me}, 0, part);
  }
  [[nodiscard]] Held end_of(const Stage& stage) const {
    return stage.held(memory.shape(), Rank{me}, stage.rounds(memory.shape()), part);
  }
};

// Returns whether the rank holds the complete part after the stage. A sum is complete if one rank
// alone, which depends on the part only, holds a sum that counts.
void require_complete(const Moment& now, const Stage& stage, const Held& needed) {
  const Held held = now.end_of(stage);
  path().require(held.any, "the result is there");
  if (stage.kind == Kind::news) return;
  path().require(now.memory.same(now.me, cell_of(held), cell_of(needed)),
                 "the result is in its place");
  if (stage.kind == Kind::ordered_sums)
    path().require(all({held.low == needed.low, held.high == needed.high}),
                   "the result is the sum of the ranks it should be");
}

// Adds to the path what is known of the first round and of the last.
Moment moment_of(const Subject& subject) {
  Moment now(subject);
  const Shape& shape = now.memory.shape();
  for (const Stage& stage : subject.stages) {
    const Int rounds = stage.rounds(shape);
    if (rounds < 1) continue;
    learn_fact(stage, shape, 0);
    learn_fact(stage, shape, rounds - 1);
  }
  return now;
}

}  // namespace

// The verifier refuses buffers of other sizes (src/schedule/memory.cpp). In larger ones, blocks
// would seem to be there that no call has.
void buffers_fit(const Subject& subject) {
  const Operation operation = subject.generator->operation;
  const Shape shape = some_shape(*subject.generator);
  const Buffers buffers = subject.generator->buffers(shape);
  path().require(buffers.parts >= 1, "a vector has parts");
  path().require(buffers.scratch >= 0, "scratch has 0 blocks or more");
  path().require(buffers.input_own_part == has_own_input(operation) &&
                     buffers.output_own_part == has_own_output(operation),
                 "buffers hold a rank's own part where the operation says so");
  if (operation == Operation::alltoall)
    path().require(buffers.parts == shape.p, "a complete exchange has a part for each rank");
  const bool is_cut = buffers.input_own_part || buffers.output_own_part;
  if (is_cut) path().require(buffers.parts % shape.p == 0, "ranks have as many parts each");
  const Int own = is_cut ? parts_per_rank(shape, buffers) : buffers.parts;
  const Int input = buffers.input_own_part ? own : buffers.parts;
  const Int output = buffers.output_own_part ? own : buffers.parts;
  path().require(buffers.input == (operation == Operation::broadcast ? 0 : input),
                 "input has the parts that it should have");
  path().require(buffers.output == output, "output has the parts that it should have");
}

void stages_have_all_rounds(const Subject& subject) {
  const Shape shape = some_shape(*subject.generator);
  Int sum = 0;
  for (const Stage& stage : subject.stages) {
    path().require(stage.rounds(shape) >= 0, "there are 0 rounds or more");
    sum += stage.rounds(shape);
  }
  path().require(sum == subject.generator->rounds(shape), "stages have all rounds");
}

// Parts of a composition may add sums of any ranks, whatever the whole says of itself.
void stages_keep_the_order(const Subject& subject) {
  if (subject.generator->commutative_only()) return;
  for (const Stage& stage : subject.stages)
    path().require(stage.kind != Kind::sums, "operands keep the order, as the generator says");
}

// Shows the facts about rounds that the other statements take for true.
void facts_are_true(const Subject& subject) {
  path().allow_products();
  const Shape shape = some_shape(*subject.generator);
  const auto number =
      static_cast<std::size_t>(path().choose(static_cast<int>(subject.stages.size())));
  const Stage& stage = subject.stages[number];
  path().look_at_stage(static_cast<int>(number));
  const Int t = path().unknown("round");
  path().assume(0 <= t);
  path().assume(t < stage.rounds(shape));
  path().require(stage.fact(shape, t), "what is used of a round is true");
}

// Before the first round: ranks hold what the operation gives them, and every rank's part counts.
void begins_with_what_is_given(const Subject& subject) {
  const Moment now = moment_of(subject);
  const Stage& stage = subject.stages.front();
  const Held held = now.begin_of(stage), given = now.memory.initial(now.me, now.part);
  const bool sums = stage.kind == Kind::sums || stage.kind == Kind::ordered_sums;
  if (sums && given.any) path().require(held.any, "the part of every rank counts");
  if (!held.any) return;
  path().require(given.any, "nothing is held that is not given");
  if (stage.kind == Kind::news) return;
  path().require(now.memory.same(now.me, cell_of(held), cell_of(given)),
                 "what is given lies in its place");
  if (stage.kind == Kind::ordered_sums)
    path().require(all({held.low == given.low, held.high == given.high}),
                   "the first sums are the parts of the ranks");
}

void stages_follow_each_other(const Subject& subject) {
  if (subject.stages.size() < 2) return;
  const Moment now = moment_of(subject);
  Held needed = now.begin_of(subject.stages.back());
  if (!needed.any) return;
  needed.low = 0;
  needed.high = now.memory.shape().p;
  require_complete(now, subject.stages.front(), needed);
}

// The sums of all ranks that count contain each rank once. So if two ranks never hold sums of one
// part in the end, the sum of the rank that has one is that of all ranks.
void one_sum_is_left(const Subject& subject) {
  const Stage& stage = subject.stages.front();
  if (stage.kind != Kind::sums) return;
  const Moment now = moment_of(subject);
  if (!now.end_of(stage).any) return;
  const Int other = some_rank(now.memory.shape(), "other");
  path().assume(other != now.me);
  const Held second =
      stage.held(now.memory.shape(), Rank{other}, stage.rounds(now.memory.shape()), now.part);
  path().require(negated(second.any), "one sum is left in the end");
}

void ends_with_the_result(const Subject& subject) {
  const Moment now = moment_of(subject);
  const Held needed = now.memory.final(now.me, now.part);
  if (needed.any) require_complete(now, subject.stages.back(), needed);
}

}  // namespace tutti::prove

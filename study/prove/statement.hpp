// SPDX-License-Identifier: BSD-3-Clause
// What statements about a round begin with: an unknown shape, an unknown rank, an unknown round of
// one of the stages, and what the rank does in it.
#pragma once

#include <span>

#include "memory.hpp"
#include "view.hpp"

namespace tutti::prove {

[[nodiscard]] Shape some_shape(const Generator& generator);
[[nodiscard]] Int some_rank(const Shape& shape, const char* name);
[[nodiscard]] Int some_part(const Memory& memory);

struct Step {
  Subject subject;
  Memory memory;
  Stage stage;
  Int me;
  Int t;      // within the stage
  Int whole;  // in all stages
  RoundView round;

  // Runs to the beginning of a statement about any round, and looks at it through the view.
  Step(const Subject& subject, const View& view);

  [[nodiscard]] RoundView round_of(const Int& rank, const View& view) const {
    return view_of(*subject.generator, memory.shape(), Rank{rank}, whole, view);
  }
  [[nodiscard]] Held before(const Int& rank, const Int& part) const {
    return stage.held(memory.shape(), Rank{rank}, t, part);
  }
  // The same for a partner. What it does in the round is asked for first, because that ties its
  // state to the rank's own.
  [[nodiscard]] Held of_partner(const Int& rank, const Int& part) const {
    static_cast<void>(round_of(rank, {Steps::none}));
    return before(rank, part);
  }
  [[nodiscard]] Held after(const Int& rank, const Int& part) const {
    return stage.held(memory.shape(), Rank{rank}, t + 1, part);
  }
  // Returns one operation that the view shows; each is taken on some path.
  [[nodiscard]] const schedule::Op& some_operation() const;
};

// Makes known what is known of a round of a stage.
void learn_fact(const Stage& stage, const Shape& shape, const Int& t);

// A statement that is shown of a generator.
struct Statement {
  const char* name;
  void (*run)(const Subject&);  // on one path
  // Tells whether there is something to show in the stage; nullptr if there always is.
  bool (*concerns)(const Subject&, const Stage&) = nullptr;
  // True if each stage that it concerns has an obligation. Without any, nothing has been shown.
  bool has_obligations = true;
};
[[nodiscard]] bool concerns(const Statement& statement, const Subject& subject, const Stage& stage);
// Returns true if it concerns any stage.
[[nodiscard]] bool concerns(const Statement& statement, const Subject& subject);
[[nodiscard]] std::span<const Statement> statements();
// Each of these alone shows that no ranks wait for each other in a circle.
[[nodiscard]] std::span<const Statement> waiting_statements();
// The condition of the theorem on generators that the transform makes of others.
[[nodiscard]] const Statement& condition_of_theorem(schedule::Transform transform);

void buffers_fit(const Subject& subject);
void blocks_are_there(const Subject& subject);
void messages_meet(const Subject& subject);
void messages_are_single(const Subject& subject);
void nothing_is_used_too_early(const Subject& subject);
void sends_what_it_holds(const Subject& subject);
void data_is_kept(const Subject& subject);
void sums_are_kept(const Subject& subject);
void sums_stay_in_order(const Subject& subject);
void stages_have_all_rounds(const Subject& subject);
void stages_keep_the_order(const Subject& subject);
void begins_with_what_is_given(const Subject& subject);
void stages_follow_each_other(const Subject& subject);
void one_sum_is_left(const Subject& subject);
void ends_with_the_result(const Subject& subject);
void facts_are_true(const Subject& subject);
void local_work_delays_nobody(const Subject& subject);
void numbers_fit(const Subject& subject);
// The conditions of theorem T4 (pipelines.cpp).
void chunks_may_follow(const Subject& subject);

void combines_wait_for_single_sends(const Subject& subject);
void ranks_wait_for_lower_ones(const Subject& subject);
void ranks_wait_for_lower_ones_or_themselves(const Subject& subject);

}  // namespace tutti::prove

// SPDX-License-Identifier: BSD-3-Clause
// The list of what is shown of a generator.
#include <algorithm>

#include "statement.hpp"

namespace tutti::prove {
namespace {

bool moves_blocks(const Subject&, const Stage& stage) {
  return stage.kind != Kind::news;
}
bool moves_data_or_news(const Subject&, const Stage& stage) {
  return stage.kind == Kind::data || stage.kind == Kind::news;
}
bool adds_in_any_order(const Subject&, const Stage& stage) {
  return stage.kind == Kind::sums;
}
bool adds_in_order(const Subject&, const Stage& stage) {
  return stage.kind == Kind::ordered_sums;
}

// These look at the whole, and count as statements about its first stage.
bool is_whole(const Subject& subject, const Stage& stage) {
  return &stage == &subject.stages.front();
}
bool is_whole_with_blocks(const Subject& subject, const Stage& stage) {
  return is_whole(subject, stage) && stage.kind != Kind::news;
}
bool is_whole_with_two_stages(const Subject& subject, const Stage& stage) {
  return is_whole(subject, stage) && subject.stages.size() > 1;
}
bool is_whole_in_order(const Subject& subject, const Stage& stage) {
  return is_whole(subject, stage) && !subject.generator->commutative_only();
}
bool is_whole_in_any_order(const Subject& subject, const Stage& stage) {
  return is_whole(subject, stage) && stage.kind == Kind::sums;
}

constexpr Statement all_statements[] = {
    {"buffers fit", buffers_fit, is_whole_with_blocks},
    {"blocks are there", blocks_are_there, moves_blocks},
    {"messages meet", messages_meet},
    {"messages are single", messages_are_single, nullptr, false},
    {"nothing is used too early", nothing_is_used_too_early, nullptr, false},
    {"ranks send what they hold", sends_what_it_holds, moves_blocks},
    {"data is kept", data_is_kept, moves_data_or_news},
    {"sums are kept", sums_are_kept, adds_in_any_order},
    {"sums stay in order", sums_stay_in_order, adds_in_order},
    {"stages have all rounds", stages_have_all_rounds, is_whole},
    {"stages keep the order", stages_keep_the_order, is_whole_in_order},
    {"it begins with what is given", begins_with_what_is_given, is_whole},
    {"stages follow each other", stages_follow_each_other, is_whole_with_two_stages},
    {"one sum is left", one_sum_is_left, is_whole_in_any_order},
    {"it ends with the result", ends_with_the_result, is_whole},
    {"facts are true", facts_are_true},
    {"local work delays nobody", local_work_delays_nobody, nullptr, false},
    {"numbers fit", numbers_fit}};

constexpr Statement about_waiting[] = {
    {"combines wait for single sends", combines_wait_for_single_sends, nullptr, false},
    {"ranks wait for lower ones", ranks_wait_for_lower_ones, nullptr, false},
    {"ranks wait for lower ones or themselves", ranks_wait_for_lower_ones_or_themselves, nullptr,
     false}};

void messages_are_those_of_an_allreduce(const Subject& subject) {
  path().require(subject.generator->operation == Operation::allreduce,
                 "the messages are those of an allreduce");
}

constexpr Statement about_pipelines{"chunks may follow", chunks_may_follow};
constexpr Statement about_barriers{"messages are those of an allreduce",
                                   messages_are_those_of_an_allreduce, is_whole};

}  // namespace

bool concerns(const Statement& statement, const Subject& subject, const Stage& stage) {
  return statement.concerns == nullptr || statement.concerns(subject, stage);
}

bool concerns(const Statement& statement, const Subject& subject) {
  return std::any_of(subject.stages.begin(), subject.stages.end(),
                     [&](const Stage& stage) { return concerns(statement, subject, stage); });
}

std::span<const Statement> statements() {
  return all_statements;
}
std::span<const Statement> waiting_statements() {
  return about_waiting;
}
const Statement& condition_of_theorem(schedule::Transform transform) {
  return transform == schedule::Transform::pipelined ? about_pipelines : about_barriers;
}

}  // namespace tutti::prove

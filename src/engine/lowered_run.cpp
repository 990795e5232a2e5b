// SPDX-License-Identifier: BSD-3-Clause
// Binds data, chooses drivers and waits.
#include "engine/lowered_run.hpp"

#include <algorithm>

#include "engine/long_messages.hpp"
#include "engine/recorded.hpp"
#include "engine/rounds.hpp"
#include "engine/straight.hpp"

namespace tutti::engine {

using transport::Channel;

namespace {

CallBuffer buffer_of(const CallOperand* operand) {
  if (operand == nullptr) return {};
  return {static_cast<std::byte*>(operand->address), &operand->layout};
}

}  // namespace

LoweredRun::LoweredRun(const LoweredPlan& plan, transport::Transport& transport,
                       InFlight& in_flight, const Identity& identity)
    : Run(state_), state_(plan, transport, in_flight, identity) {
  std::size_t most_awaited = 0;
  for (const Slice& ops : plan.rounds) {
    std::size_t awaited = 0;
    for (std::uint32_t i = ops.begin; i < ops.end; ++i)
      awaited += plan.ops[i].peers.size() + plan.ops[i].operands.size();
    most_awaited = std::max(most_awaited, awaited);
  }
  waited_for_.reserve(most_awaited);
}

LoweredRun::~LoweredRun() {
  withdraw_offers(state_);
}

void LoweredRun::bind_data(const Arguments& arguments, std::int64_t n, std::size_t element_bytes) {
  RunState& run = state_;
  const RankCounts& counts = arguments.counts;
  run.reducer = arguments.op;
  run.entered = false;
  run.evenly_cut = counts.cut == Cut::even;
  run.both_ends_count =
      counts.cut == Cut::by_counts && !counts.input.empty() && !counts.output.empty();
  const bool on_vectors = arguments.op != nullptr && arguments.op->takes_vectors();
  const bool same_grain = run.on_vectors == on_vectors;
  run.on_vectors = on_vectors;
  if (on_vectors) run.collected.resize(run.plan->ops.size());
  const bool changed = run.memory.bind(n, element_bytes, buffer_of(arguments.input),
                                       buffer_of(arguments.output), counts);
  run.operands_apart = run.memory.operands_apart();
  if (changed || !same_grain) {
    run.set_totals();
    recorded_as_ = -1;
  } else if (run.shortened.any()) [[unlikely]] {
    run.shortened = {};
  }
}

std::int32_t LoweredRun::recorded_as(record::RunRecorder& record, const Run* then) {
  if (then != nullptr) return number_of(state_, then->recorded_rounds(), record);
  if (recorded_as_ < 0) recorded_as_ = number_of(state_, "", record);
  return recorded_as_;
}

std::string LoweredRun::recorded_rounds() const {
  return rounds_of(state_);
}

void LoweredRun::release() {
  state_.memory.release();
  std::vector<std::vector<std::byte>>().swap(state_.staging);
  std::vector<std::byte>().swap(state_.private_operand);
  std::vector<std::vector<std::byte>>().swap(state_.collected);
}

Look LoweredRun::advance() {
  Look progress = Look::nothing;
  while (!state_.over()) {
    const Look latest = advance_or_withdraw();
    if (latest != Look::nothing) progress = Look::progress;
    if (latest != Look::done) return progress;
    record_round();
  }
  return Look::done;
}

// A run that fails is not continued, so nobody may write into its buffers any more.
Look LoweredRun::advance_or_withdraw() {
  try {
    return advance_round(state_);
  } catch (...) {
    withdraw_offers(state_);
    throw;
  }
}

void LoweredRun::run(transport::GiveUp question) {
  trace::Tracer* const recorder = state_.in_flight->recorder();
  if (recorder != nullptr) [[unlikely]]
    recorder->operation_begins(recorded());
  if (state_.in_flight->record() != nullptr) [[unlikely]]
    record_run(*state_.in_flight->record());
  while (!state_.over()) {
    const bool quick = state_.drivers[state_.round] == Driver::straight && run_straight(state_);
    if (!quick) wait_for_round(question);
    if (recorder != nullptr) [[unlikely]]
      recorder->round_ends(quick ? trace::Tracer::Round::quick : trace::Tracer::Round::plain);
  }
  if (recorder != nullptr) [[unlikely]]
    recorder->operation_ends();
}

// Polling the channel of one message is quicker than trying all of the round.
void LoweredRun::wait_for_round(transport::GiveUp question) {
  transport::Waiter& waiter = state_.in_flight->waiter();
  if (state_.in_flight->recorder() != nullptr) [[unlikely]]
    state_.in_flight->recorder()->wait_goes_on();
  const transport::Progress::Blocked blocked(waiter.progress(), label());
  Channel* next = nullptr;
  const auto poll = [&] {
    if (next != nullptr && !waiter.looks_thoroughly() && next->peek() == nullptr)
      return Look::nothing;
    const Look look = advance_round(state_);
    next = look == Look::nothing ? awaited_channel(state_) : nullptr;
    return look;
  };
  const auto shown = [this](transport::WaitInfo& info) { describe(info); };
  try {
    waiter.wait_until(poll, shown, {.question = question});
  } catch (...) {
    withdraw_offers(state_);
    throw;
  }
}

void LoweredRun::describe(transport::WaitInfo& info) const {
  Run::describe(info);
  list_awaited(state_, waited_for_);
  info.endpoints = waited_for_;
}

}  // namespace tutti::engine

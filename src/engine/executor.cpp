// SPDX-License-Identifier: BSD-3-Clause
// Starts executions, chooses drivers, waits, and tells reports and traces of it.
#include "engine/executor.hpp"

#include <algorithm>

#include "engine/native.hpp"
#include "engine/rounds.hpp"
#include "engine/straight.hpp"

namespace tutti::engine {

using transport::Channel;

Executor::Executor(const LoweredPlan& plan, transport::Transport& transport, InFlight& in_flight,
                   const Identity& identity)
    : run_(plan, transport, in_flight, identity),
      unnumbered_(identity.group_id, identity.operation, identity.root, identity.mode) {
  std::size_t most_awaited = 0;
  for (const Slice& ops : plan.rounds) {
    std::size_t awaited = 0;
    for (std::uint32_t i = ops.begin; i < ops.end; ++i)
      awaited += plan.ops[i].peers.size() + plan.ops[i].operands.size();
    most_awaited = std::max(most_awaited, awaited);
  }
  waited_for_.reserve(most_awaited);
  if (identity.native.job == nullptr) return;
  const int p = static_cast<int>(identity.endpoints.size());
  native_ = std::make_unique<NativeRun>(
      identity.native, Caller{identity.operation, identity.root, identity.rank, p});
}

Executor::~Executor() = default;

void Executor::start(std::uint32_t sequence, const CallData& work) {
  unnumbered_ = unnumbered_.combining(work.op == nullptr ? std::uint8_t{0} : work.op->signature());
  take_number(sequence);
  run_.reducer = work.op;
  run_.operator_code = 0;
  run_.round = 0;
  run_.entered = false;
  run_.bytes = work.n * static_cast<std::int64_t>(work.element_bytes);
  if (native_) [[unlikely]]
    return native_->start(work);
  run_.evenly_cut = work.counts.cut == Cut::even;
  run_.both_ends_count = work.counts.cut == Cut::by_counts && !work.counts.input.empty() &&
                         !work.counts.output.empty();
  const bool on_vectors = work.op != nullptr && work.op->takes_vectors();
  const bool same_grain = run_.on_vectors == on_vectors;
  run_.on_vectors = on_vectors;
  if (on_vectors) run_.collected.resize(run_.plan->ops.size());
  const bool changed =
      run_.memory.bind(work.n, work.element_bytes, work.input, work.output, work.counts);
  if (changed || !same_grain) {
    run_.set_totals();
  } else if (run_.shortened.any()) [[unlikely]] {
    run_.shortened = {};
  }
}

void Executor::release() {
  if (native_) native_->release();
  run_.memory.release();
  std::vector<std::vector<std::byte>>().swap(run_.staging);
  std::vector<std::byte>().swap(run_.private_operand);
  std::vector<std::vector<std::byte>>().swap(run_.collected);
}

Look Executor::advance() {
  Look progress = Look::nothing;
  while (!run_.over()) {
    const Look latest = advance_one();
    if (latest != Look::nothing) progress = Look::progress;
    if (latest != Look::done) return progress;
    if (run_.in_flight->recorder() != nullptr) [[unlikely]]
      record_round(*run_.in_flight->recorder());
  }
  return Look::done;
}

Look Executor::advance_one() {
  return native_ ? advance_native() : advance_round(run_);
}

Look Executor::advance_native() {
  if (!native_->done()) return Look::nothing;
  ++run_.round;
  return Look::done;
}

void Executor::run() {
  if (run_.in_flight->recorder() != nullptr) [[unlikely]]
    return run_recorded(*run_.in_flight->recorder());
  while (!run_.over()) {
    if (!run_.short_round[run_.round] || !run_straight(run_)) wait_for_round();
  }
}

// Polling the channel of one message is quicker than trying all of the round.
void Executor::wait_for_round() {
  transport::Waiter& waiter = run_.in_flight->waiter();
  const transport::Progress::Blocked blocked(waiter.progress(), run_.label);
  Channel* next = nullptr;
  const auto poll = [&] {
    if (next != nullptr && !waiter.looks_thoroughly() && next->peek() == nullptr)
      return Look::nothing;
    const Look look = advance_one();
    next = look == Look::nothing && !native_ ? awaited_channel(run_) : nullptr;
    return look;
  };
  waiter.wait_until(poll, [this](transport::WaitInfo& info) { describe(info); });
}

void Executor::describe(transport::WaitInfo& info) const {
  list_awaited(run_, waited_for_);
  info.operation = static_cast<std::uint32_t>(run_.identity.operation) + 1;
  info.group_size = static_cast<std::uint32_t>(run_.identity.endpoints.size());
  info.sequence = Tag(run_.label).number();
  info.round = static_cast<std::int32_t>(run_.round);
  info.endpoints = waited_for_;
  info.refusal = {refusal, this};
  if (run_.in_flight->recorder() != nullptr) [[unlikely]]
    info.traced = recorded();
  if (!native_) return;
  // Nobody here sees the messages by which an MPI ends its collective. So nothing wakes a process
  // that waits for one, and the wait counts as one that may end by itself: a job in which all ranks
  // wait does not stand still.
  info.until = transport::WaitInfo::Until::given_up;
  info.is_woken = false;
}

std::string Executor::refusal(const void* self) {
  const Executor& own = *static_cast<const Executor*>(self);
  return fmt::format("rank {} has given up {}, in round {}", own.run_.identity.rank,
                     describe_operation(own.unnumbered_, Tag(own.run_.label).number(),
                                        own.run_.in_flight->group_text(own.run_.identity.group_id)),
                     own.run_.round + 1);
}

// --- the trace (TUTTI_TRACE) ---

trace::TracedOperation Executor::recorded() const {
  const Tag tag(run_.label);
  return {tag.group(), run_.bytes, tag.number(), run_.identity.plan_in_trace};
}

void Executor::run_recorded(trace::Tracer& recorder) {
  recorder.operation_begins(recorded());
  while (!run_.over()) {
    const bool quick = run_.short_round[run_.round] && run_straight(run_);
    if (!quick) {
      recorder.wait_goes_on();
      wait_for_round();
    }
    recorder.round_ends(quick ? trace::Tracer::Round::quick : trace::Tracer::Round::plain);
  }
  recorder.operation_ends();
}

void Executor::record_round(trace::Tracer& recorder) {
  if (run_.identity.mode != Mode::overlapping || begun_ == 0) return;
  round_begun_ = recorder.started_ends(trace::RecordKind::round_of_started, recorded(), run_.round,
                                       round_begun_);
}

void Executor::record_end(trace::Tracer& recorder) const {
  if (begun_ != 0) recorder.started_ends(trace::RecordKind::started, recorded(), 0, begun_);
}

}  // namespace tutti::engine

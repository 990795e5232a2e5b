// SPDX-License-Identifier: BSD-3-Clause
// Begins runs, and tells reports and traces of them.
#include "engine/run.hpp"

namespace tutti::engine {

void Run::start(std::uint32_t number, const Arguments& arguments) {
  using schedule::Operation;
  RunFacts& facts = *facts_;
  const Operation operation = facts.identity.operation;
  const bool by_output = operation == Operation::broadcast || operation == Operation::scatter;
  const CallOperand* const side = by_output ? arguments.output : arguments.input;
  const std::size_t element_bytes = side == nullptr ? 1 : side->element_bytes;
  const std::int64_t n = vector_elements(facts.identity, arguments);
  facts.unnumbered = facts.unnumbered.combining(
      arguments.op == nullptr ? std::uint8_t{0} : arguments.op->signature());
  facts.operator_code = 0;
  facts.bytes = n * static_cast<std::int64_t>(element_bytes);
  facts.begin(number);
  bind_data(arguments, n, element_bytes);
}

void Run::describe(transport::WaitInfo& info) const {
  const Identity& identity = facts_->identity;
  info.operation = static_cast<std::uint32_t>(identity.operation) + 1;
  info.group_size = static_cast<std::uint32_t>(identity.endpoints.size());
  info.sequence = Tag(facts_->label).number();
  info.round = static_cast<std::int32_t>(facts_->round);
  info.refusal = {refusal, this};
  if (facts_->in_flight->recorder() != nullptr) [[unlikely]]
    info.traced = recorded();
}

std::string Run::refusal(const void* self) {
  const RunFacts& facts = *static_cast<const Run*>(self)->facts_;
  return fmt::format("rank {} has given up {}, in round {}", facts.identity.rank,
                     describe_operation(facts.unnumbered, Tag(facts.label).number(),
                                        facts.in_flight->group_text(facts.identity.group_id)),
                     facts.round + 1);
}

// --- the trace (TUTTI_TRACE) ---

trace::TracedOperation Run::recorded() const {
  const Tag tag(facts_->label);
  return {tag.group(), facts_->bytes, tag.number(), facts_->identity.plan_in_trace};
}

void Run::record_round() {
  trace::Tracer* const recorder = facts_->in_flight->recorder();
  if (recorder == nullptr || facts_->identity.mode != Mode::overlapping || begun_ == 0) return;
  round_begun_ = recorder->started_ends(trace::RecordKind::round_of_started, recorded(),
                                        facts_->round, round_begun_);
}

void Run::record_end(trace::Tracer& recorder) const {
  if (begun_ != 0) recorder.started_ends(trace::RecordKind::started, recorded(), 0, begun_);
}

// --- the record (tutti run --record) ---

void Run::record_run(record::RunRecorder& record) {
  record.runs(recorded_as(record, nullptr));
}

std::uint32_t Run::record_start(record::RunRecorder& record, const Run* then) {
  return record.starts(recorded_as(record, then));
}

}  // namespace tutti::engine

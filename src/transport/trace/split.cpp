// SPDX-License-Identifier: BSD-3-Clause
// Records calls that one record cannot tell: those with several rounds or waits, with an operation
// that ends besides them, or with the choice of a plan.
#include "transport/trace/tracer.hpp"

namespace tutti::trace {

void Tracer::add(const TraceRecord& record) {
  line() = record;
  present().seen = record.end;
  step();
}

void Tracer::split() {
  const std::uint64_t last = last_;
  call_takes_time();
  TraceRecord whole = line();
  const std::uint8_t holds = whole.holds;
  const auto has = [holds](std::uint8_t what) { return (holds & what) != 0; };
  line().holds = whole.holds = 0;
  whole_ = false;
  const bool more_rounds = has(Holds::round) && !ended_;

  TraceRecord wait = whole;
  wait.kind = RecordKind::wait;
  wait.begin = whole.begin + whole.wait_from;
  wait.end = whole.begin + whole.wait_to;
  if (has(Holds::wait)) add(wait);
  present().wait = wait;
  if (!has(Holds::in_wait)) present().wait.begin = 0;

  TraceRecord round = whole;
  round.kind = RecordKind::round;
  round.end = last;
  if (has(Holds::round)) add(round);
  present().round = round;
  if (more_rounds) {
    present().round.begin = last;
    present().round.round = 2;
  } else if (!has(Holds::in_round)) {
    present().round.begin = 0;
  }

  if (!has(Holds::operation)) whole.operation = {};  // a wait has set it
  whole.holds = holds & Holds::operation;
  whole.round = 0;
  present().call = whole;
}

void Tracer::split_call_ends(std::uint64_t end) {
  TraceRecord& call = present().call;
  call.end = end;
  finish(call);
  present().round.begin = 0;
}

void Tracer::plan_is_chosen() {
  if (whole_) split();
  if (present().call.begin == 0) return;
  TraceRecord choice = present().call;
  choice.kind = RecordKind::choice;
  choice.holds = 0;
  choice.end = last_ = now();
  add(choice);
}

void Tracer::split_operation_begins(const TracedOperation& operation) {
  if (whole_) split();
  present().call.holds = Holds::operation;
  TraceRecord& round = present().round;
  round.kind = RecordKind::round;
  round.holds = 0;
  round.operation = present().call.operation = operation;
  round.call = present().call.call;
  round.round = 1;
  round.begin = depth_ > 0 ? last_ : now();
}

void Tracer::split_round_ends() {
  TraceRecord& round = present().round;
  round.end = last_;
  add(round);
  round.begin = last_;
  ++round.round;
}

std::uint64_t Tracer::started_ends(RecordKind kind, const TracedOperation& operation,
                                   std::uint32_t round, std::uint64_t begin) {
  if (whole_) split();
  TraceRecord record;
  record.kind = kind;
  record.operation = operation;
  record.round = round;
  record.begin = begin;
  record.end = now();
  add(record);
  return record.end;
}

void Tracer::split_wait_begins(int peer) {
  if (whole_) split();
  const TraceRecord& round = present().round;
  TraceRecord& wait = present().wait;
  const bool in_round = round.begin != 0;
  wait.kind = RecordKind::wait;
  wait.operation = in_round ? round.operation : TracedOperation();
  wait.round = in_round ? round.round : 0;
  wait.call = present().call.call;
  wait.peer = peer;
  wait.more = 0;
  wait.begin = goes_on_ ? take_back_wait() : now();
  goes_on_ = false;
}

// Removes the latest record, which is that of a wait. Returns the begin of the wait.
std::uint64_t Tracer::take_back_wait() {
  place_ = (place_ == 0 ? capacity_ : place_) - 1;
  header_->written.store(--written_, std::memory_order_release);
  return line().begin;
}

void Tracer::split_wait_ends() {
  present().wait.end = last_;
  finish(present().wait);
}

}  // namespace tutti::trace

// SPDX-License-Identifier: BSD-3-Clause
// Runs and advances executions in a process that keeps a trace (TUTTI_TRACE).
#include "engine/executor.hpp"

namespace tutti::engine {

trace::TracedOperation Executor::recorded() const {
  const Tag tag(label_);
  return {tag.group(), bytes_, tag.number(), identity_.plan_in_trace};
}

void Executor::run_recorded(trace::Tracer& recorder) {
  recorder.operation_begins(recorded());
  while (round_ < plan_->rounds.size()) {
    const bool quick = short_round_[round_] && run_short_round();
    if (!quick) {
      recorder.wait_goes_on();
      wait_for_round();
    }
    recorder.round_ends(quick ? trace::Tracer::Round::quick : trace::Tracer::Round::plain);
  }
  recorder.operation_ends();
}

void Executor::record_begin(const trace::Tracer& recorder) {
  begun_ = round_begun_ = recorder.now();
}

void Executor::record_round(trace::Tracer& recorder) {
  if (identity_.mode != Mode::overlapping || begun_ == 0) return;
  round_begun_ =
      recorder.started_ends(trace::RecordKind::round_of_started, recorded(), round_, round_begun_);
}

void Executor::record_end(trace::Tracer& recorder) const {
  if (begun_ != 0) recorder.started_ends(trace::RecordKind::started, recorded(), 0, begun_);
}

}  // namespace tutti::engine

// SPDX-License-Identifier: BSD-3-Clause
// The time of the job, for front ends and programs: that of this machine, or of a described one.
#include "api/state.hpp"
#include "base/environment.hpp"
#include "tutti/tutti_time.h"

namespace {

using namespace tutti;

// Returns the stream of this process to the timekeeper; nullptr if there is none.
timed::TimedStream* stream_of_process() {
  record::RunRecorder* const record = api::process.record;
  return record == nullptr ? nullptr : record->stream();
}

// Returns 1 if the rank is in its job in virtual time, where it then computes.
int spent(record::ItemKind how, std::uint64_t nanoseconds) {
  const timed::TimedStream* const stream = stream_of_process();
  if (tutti_has_virtual_time() == 0 || stream == nullptr || stream->has_left()) return 0;
  api::process.record->spends(how, nanoseconds);
  return 1;
}

}  // namespace

extern "C" {

int tutti_has_virtual_time(void) {
  static const bool has = base::text(base::Variable::machine).has_value();
  return has && api::process.ended != api::Ended::forked ? 1 : 0;
}

int tutti_spend_time(uint64_t nanoseconds) {
  return spent(record::ItemKind::spend, nanoseconds);
}

int tutti_spend_until(uint64_t time) {
  return spent(record::ItemKind::until, time);
}

// A process that has not joined its job in virtual time yet has done nothing.
uint64_t tutti_nanoseconds(void) {
  if (tutti_has_virtual_time() != 0) {
    return stream_of_process() == nullptr ? 0 : api::process.record->virtual_time();
  }
  const transport::Clock& clock = api::process.current != nullptr
                                      ? api::process.current->job.waiter().clock()
                                      : transport::steady_clock();
  return clock.now();
}

}  // extern "C"

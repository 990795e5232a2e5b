// SPDX-License-Identifier: BSD-3-Clause
// Owns the record of this process.
#include "api/recording.hpp"

#include <cstdlib>

#include "api/call_site.hpp"
#include "api/process.hpp"
#include "base/environment.hpp"
#include "base/error.hpp"

namespace tutti::api {

record::RunRecorder* begin_record(launch::Membership& membership) {
  // A program that a rank starts by itself may inherit the variable and be a job of its own.
  const auto file = base::text(base::Variable::record);
  timed::TimedBoard* const board = timed::find_board(membership.mapping());
  if (!membership.has_supervisor() || (!file && board == nullptr)) return nullptr;
  if (board != nullptr && membership.id() >= static_cast<int>(board->ranks))
    base::fail(base::Status::bad_environment,
               "tasks that a process starts have no virtual time yet (tutti run --machine)");
  // It is never deleted, because the objects of a job that has ended still refer to it.
  process.record = new record::RunRecorder(
      {file.value_or(""), membership.id(), base::flag(base::Variable::record_places), board});
  static const int registered = std::atexit(end_record);
  static_cast<void>(registered);
  return process.record;
}

void record_call(record::RunRecorder& record, const trace::KnownNames::Words& name) {
  record.call_begins(name);
  if (!record.wants_places()) return;
  const std::uint64_t site = calling_site();
  record.comes_from(site, [site] { return site_text(site); });
}

void end_record() {
  if (process.record != nullptr) process.record->close();
}

}  // namespace tutti::api

// SPDX-License-Identifier: BSD-3-Clause
// Opens and closes the trace of this process, numbers names, and records calls that one record
// cannot tell.
#include "transport/trace/tracer.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "base/notice.hpp"
#include "transport/trace/events.hpp"

namespace tutti::trace {
namespace {

template <std::size_t size>
void put(char (&field)[size], std::string_view text) {
  std::copy_n(text.data(), std::min(text.size(), size - 1), field);
}

}  // namespace

std::unique_ptr<Tracer> Tracer::open(const Request& request) {
  auto journal = std::make_unique<Journal>(request.path, Journal::Join::as_process);
  try {
    Part part = Part::create(part_path(request.path, request.process), request.bytes);
    return std::unique_ptr<Tracer>(new Tracer(std::move(journal), std::move(part), request));
  } catch (const base::Error& error) {
    if (error.status() != base::Status::out_of_memory) throw;
    if (journal->may_speak())
      base::notice("tutti: there is no trace of this job: {}\n", error.what());
    journal->stay_open();
    return nullptr;
  }
}

Tracer::Tracer(std::unique_ptr<Journal> journal, Part part, const Request& request)
    : journal_(std::move(journal)),
      part_(std::move(part)),
      header_(&part_.header()),
      ring_(part_.records()),
      capacity_(header_->capacity),
      counter_(has_constant_counter()) {
  // Each page is touched now, so that no call is slowed down by its first use.
  std::fill_n(ring_, capacity_, TraceRecord{});
  header_->counter = counter_;
  header_->process = request.process;
  header_->pid = ::getpid();
  put(header_->boot, boot_name());
  put(header_->title, request.title);
  header_->begin_real = nanoseconds(CLOCK_REALTIME);
  header_->begin_monotonic = nanoseconds(CLOCK_MONOTONIC);
  header_->begin_ticks = last_ = now();
  header_->magic = Header::current_magic;
}

void Tracer::close() {
  if (header_->pid != ::getpid()) return;
  std::string why;
  try {
    if (write_events(part_, *journal_)) return part_.remove();
    if (!journal_->may_speak()) return;
    why = journal_->reason();
  } catch (const base::Error& error) {
    why = error.what();
  }
  base::notice(
      "tutti: the trace '{}' cannot be written: {}; the records stay in '{}' and files like it, "
      "and `tutti trace` adds them when it can\n",
      journal_->path(), why, part_path(journal_->path(), header_->process));
}

std::uint32_t Tracer::number_of(std::string_view name) {
  const std::uint32_t count = header_->name_count.load(std::memory_order_relaxed);
  name = name.substr(0, Header::name_bytes - 1);
  for (std::uint32_t i = 1; i < count; ++i)
    if (name == header_->names[i]) return i;
  if (count == Header::most_names) return 0;
  put(header_->names[count], name);
  header_->name_count.store(count + 1, std::memory_order_release);
  return count;
}

// --- calls that one record cannot tell: those with several rounds or waits, with an operation that
// ends besides them, or with the choice of a plan ---

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

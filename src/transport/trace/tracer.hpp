// SPDX-License-Identifier: BSD-3-Clause
// Records what this process does, if TUTTI_TRACE asks for it. Nothing is allocated and no file is
// written while a call runs. Engine, services and the C interface call it, all from the one thread
// that is inside a call.
//
// Most calls have one round and one wait. Such a call is one record, which is begun in the ring and
// filled there. Where more happens, the call becomes separate records (split): each is written when
// what it tells has ended, and the present state is kept beside the ring.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "transport/trace/journal.hpp"
#include "transport/trace/known_names.hpp"
#include "transport/trace/part.hpp"
#include "transport/trace/ticks.hpp"

namespace tutti::trace {

class Tracer {
 public:
  struct Request {
    std::string path;
    std::uint64_t bytes = 0;  // of the ring
    int process = 0;
    std::string title;  // of the process
  };
  // Returns nullptr, and one process of the job says why, if the disk has no room. Throws Error if
  // the file cannot be written at all.
  [[nodiscard]] static std::unique_ptr<Tracer> open(const Request& request);

  // Writes the events into the file of the job. A child made by fork() writes nothing.
  void close();

  // Calls of the program. A call within a call belongs to the outer one.
  using Words = KnownNames::Words;
  // A short collective begins, for the trace, when it waits first. Then the clock is read while the
  // message is under way, and takes no time of the call.
  enum class Begin : bool { now, with_wait };
  void call_begins(const Words& name, Begin how = Begin::now) {
    if (depth_++ > 0) return;
    TraceRecord& call = line();
    call.begin = how == Begin::now ? last_ = now() : 0;
    call.operation.plan = 0;
    call.call = static_cast<std::uint16_t>(number_of(name));
    call.kind = RecordKind::call;
    call.holds = Holds::in_call;
    whole_ = true;
    ended_ = false;
  }
  // Called when the call turns out to need more time than a repeated one.
  void call_takes_time() {
    if (whole_ && line().begin == 0) line().begin = last_ = now();
  }
  void call_ends() {
    if (depth_ == 0 || --depth_ > 0) return;
    // An operation ends where its call ends.
    const std::uint64_t end = ended_ ? last_ : now();
    if (!whole_) [[unlikely]]
      return split_call_ends(end);
    TraceRecord& call = line();
    call.end = end;
    if (call.begin == 0) call.begin = end;
    call.holds &= Holds::operation | Holds::round | Holds::wait;
    whole_ = false;
    step();
  }
  // Called when the plan of the call has been chosen, unless it was remembered.
  void plan_is_chosen();

  // A blocking operation and its rounds.
  void operation_begins(const TracedOperation& operation) {
    waited_ = false;
    if (whole_ && (line().holds & (Holds::operation | Holds::wait)) == 0) [[likely]] {
      TraceRecord& call = line();
      call.operation = operation;
      call.round = 1;
      call.holds |= Holds::operation | Holds::in_round;
      if (operation.bytes > most_bytes_of_short) call_takes_time();
      return;
    }
    split_operation_begins(operation);
  }
  // A short round ends about when its last wait does.
  enum class Round : bool { plain, quick };
  void round_ends(Round how) {
    if (whole_ && (line().holds & Holds::in_round) == 0) split();  // it is the second round
    if (how == Round::plain || !waited_) last_ = now();
    waited_ = goes_on_ = false;
    if (!whole_) [[unlikely]]
      return split_round_ends();
    if (line().begin == 0) line().begin = last_;
    line().holds ^= Holds::in_round | Holds::round;
  }
  void operation_ends() {
    ended_ = true;
    if (whole_ && line().begin == 0) last_ = now();  // it had no round
    if (whole_)
      line().holds &= static_cast<std::uint8_t>(~Holds::in_round);
    else
      present().round.begin = 0;
  }

  // An operation that goes on besides calls, or a round of it, which began at this tick. Returns
  // the tick of its end.
  std::uint64_t started_ends(RecordKind kind, const TracedOperation& operation, std::uint32_t round,
                             std::uint64_t begin);

  // A wait: `peer` is the process that it is for, if that is known.
  void wait_begins(int peer) {
    if (!whole_ || !begins_in_whole()) [[unlikely]]
      return split_wait_begins(peer);
    TraceRecord& call = line();
    call.holds |= Holds::in_wait;
    call.peer = peer;
    call.more = 0;
    __builtin_prefetch(&ring_[place_ + 1 == capacity_ ? 0 : place_ + 1], 1);  // of the next call
  }
  // Called when a wait has outlasted its spin: the next wait of this round is the same one.
  void wait_goes_on() { goes_on_ = waited_; }
  void wait_is_for(int peer, std::size_t more) {
    TraceRecord& wait = whole_ ? line() : present().wait;
    wait.peer = peer;
    wait.more = static_cast<std::uint16_t>(more);
  }
  void wait_is_in(const TracedOperation& operation, std::uint32_t round) {
    if (whole_ && (line().holds & Holds::operation) != 0) return;  // it waits for its own operation
    TraceRecord& wait = whole_ ? line() : present().wait;
    wait.operation = operation;
    wait.round = round;
  }
  void still_waits() { present().seen = now(); }
  // `tick` is when it has ended, 0 for now.
  void wait_ends(std::uint64_t tick) {
    last_ = tick == 0 ? now() : tick;
    ended_ = false;
    waited_ = true;
    if (whole_ && last_ - line().begin > most_ticks_in_whole) [[unlikely]]
      split();
    if (!whole_) [[unlikely]]
      return split_wait_ends();
    line().wait_to = static_cast<std::uint32_t>(last_ - line().begin);
    line().holds ^= Holds::in_wait | Holds::wait;
  }

  [[nodiscard]] std::uint64_t now() const { return ticks(counter_); }
  // Returns the number of a name, the same for equal names.
  [[nodiscard]] std::uint32_t number_of(std::string_view name);

 private:
  static constexpr std::int64_t most_bytes_of_short = 4096;
  static constexpr std::uint64_t most_ticks_in_whole = 0xffffffff;

  Tracer(std::unique_ptr<Journal> journal, Part part, const Request& request);

  [[nodiscard]] Present& present() { return header_->present; }
  // The record that is written next.
  [[nodiscard]] TraceRecord& line() { return ring_[place_]; }
  void step() {
    if (++place_ == capacity_) place_ = 0;
    header_->written.store(++written_, std::memory_order_release);
  }
  // Begins the wait, or goes on with it, in the record of the call. Returns false if that cannot
  // tell it.
  bool begins_in_whole() {
    TraceRecord& call = line();
    if ((call.holds & Holds::wait) != 0) {
      if (!goes_on_) return false;
      goes_on_ = false;
      call.holds &= static_cast<std::uint8_t>(~Holds::wait);
      return true;
    }
    if ((call.holds & (Holds::operation | Holds::in_round)) == Holds::operation) return false;
    const std::uint64_t tick = now();
    if (call.begin == 0) call.begin = last_ = tick;
    if (tick - call.begin > most_ticks_in_whole) [[unlikely]]
      return false;
    call.wait_from = static_cast<std::uint32_t>(tick - call.begin);
    return true;
  }

  // Makes separate records of the call that is told in one.
  void split();
  void split_call_ends(std::uint64_t end);
  void split_operation_begins(const TracedOperation& operation);
  void split_round_ends();
  void split_wait_begins(int peer);
  void split_wait_ends();
  void add(const TraceRecord& record);
  std::uint64_t take_back_wait();
  void finish(TraceRecord& record) {
    add(record);
    record.begin = 0;
  }
  [[nodiscard]] std::uint32_t number_of(const Words& name) {
    return known_.number_of(name, [this](std::string_view text) { return number_of(text); });
  }

  std::unique_ptr<Journal> journal_;
  Part part_;
  Header* header_;
  TraceRecord* ring_;
  std::uint64_t capacity_, place_ = 0, written_ = 0;
  std::uint64_t last_ = 0;  // tick of the latest event
  int depth_ = 0;           // calls that this process is in
  bool counter_;
  bool whole_ = false;   // the present call is told in one record so far
  bool ended_ = false;   // the latest event is the end of an operation
  bool waited_ = false;  // there was a wait in this round
  bool goes_on_ = false;
  KnownNames known_;
};

}  // namespace tutti::trace

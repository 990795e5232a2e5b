// SPDX-License-Identifier: BSD-3-Clause
// Records what this process does, if TUTTI_TRACE asks for it. A record is written when something
// ends. The present state is kept beside the ring. Nothing is allocated and no file is written
// while a call runs. Engine, services and the C interface call it, all from the one thread that is
// inside a call.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "transport/trace/journal.hpp"
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
  using Words = std::array<std::uint64_t, 3>;  // a name, filled up with zeros
  void call_begins(const Words& name) {
    if (depth_++ > 0) return;
    TraceRecord& call = present().call;
    call.call = static_cast<std::uint16_t>(number_of(name));
    call.operation = {};
    call.begin = last_ = now();
    ended_ = false;
  }
  void call_ends() {
    if (depth_ == 0 || --depth_ > 0) return;
    TraceRecord& call = present().call;
    // An operation ends where its call ends.
    call.end = ended_ ? last_ : now();
    finish(call);
    present().round.begin = 0;
  }
  // Called when the plan of the call has been chosen, unless it was remembered.
  void plan_is_chosen() {
    if (present().call.begin == 0) return;
    TraceRecord choice = present().call;
    choice.kind = RecordKind::choice;
    choice.end = last_ = now();
    add(choice);
  }

  // A blocking operation and its rounds.
  void operation_begins(const TracedOperation& operation) {
    TraceRecord& round = present().round;
    round.operation = present().call.operation = operation;
    round.call = present().call.call;
    round.round = 1;
    waited_ = false;
    round.begin = depth_ > 0 ? last_ : now();
  }
  // A short round ends about when its last wait does.
  enum class Round : bool { plain, quick };
  void round_ends(Round how) {
    TraceRecord& round = present().round;
    if (how == Round::plain || !waited_) last_ = now();
    waited_ = goes_on_ = false;
    round.end = last_;
    add(round);
    round.begin = last_;
    ++round.round;
  }
  void operation_ends() {
    present().round.begin = 0;
    ended_ = true;
  }

  // An operation that goes on besides calls, or a round of it, which began at this tick. Returns
  // the tick of its end.
  std::uint64_t started_ends(RecordKind kind, const TracedOperation& operation, std::uint32_t round,
                             std::uint64_t begin) {
    TraceRecord record;
    record.kind = kind;
    record.operation = operation;
    record.round = round;
    record.begin = begin;
    record.end = now();
    add(record);
    return record.end;
  }

  // A wait: `peer` is the process that it is for, if that is known.
  void wait_begins(int peer) {
    const TraceRecord& round = present().round;
    TraceRecord& wait = present().wait;
    const bool in_round = round.begin != 0;
    wait.operation = in_round ? round.operation : TracedOperation();
    wait.round = in_round ? round.round : 0;
    wait.call = present().call.call;
    wait.peer = peer;
    wait.more = 0;
    wait.begin = goes_on_ ? take_back_wait() : now();
    goes_on_ = false;
  }
  // Called when a wait has outlasted its spin: the next wait of this round is the same one.
  void wait_goes_on() { goes_on_ = waited_; }
  void wait_is_for(int peer, std::size_t more) {
    present().wait.peer = peer;
    present().wait.more = static_cast<std::uint16_t>(more);
  }
  void wait_is_in(const TracedOperation& operation, std::uint32_t round) {
    present().wait.operation = operation;
    present().wait.round = round;
  }
  void still_waits() { present().seen = now(); }
  // `tick` is when it has ended, 0 for now.
  void wait_ends(std::uint64_t tick) {
    present().wait.end = last_ = tick == 0 ? now() : tick;
    finish(present().wait);
    ended_ = false;
    waited_ = true;
  }

  [[nodiscard]] std::uint64_t now() const { return ticks(counter_); }
  // Returns the number of a name, the same for equal names.
  [[nodiscard]] std::uint32_t number_of(std::string_view name);

 private:
  Tracer(std::unique_ptr<Journal> journal, Part part, const Request& request);

  [[nodiscard]] Present& present() { return header_->present; }
  void add(const TraceRecord& record) {
    ring_[place_] = record;
    if (++place_ == capacity_) place_ = 0;
    header_->written.store(++written_, std::memory_order_release);
    header_->present.seen = record.end;
  }
  // Removes the latest record, which is that of a wait. Returns the begin of the wait.
  std::uint64_t take_back_wait() {
    place_ = (place_ == 0 ? capacity_ : place_) - 1;
    header_->written.store(--written_, std::memory_order_release);
    return ring_[place_].begin;
  }
  void finish(TraceRecord& record) {
    add(record);
    record.begin = 0;
  }
  [[nodiscard]] std::uint32_t number_of(const Words& name) {
    const std::uint64_t mixed = (name[0] ^ name[1] * 31 ^ name[2] * 961) * 0x9e3779b97f4a7c15;
    Known& known = known_[mixed >> 58];
    if (known.name != name) [[unlikely]]
      learn(known, name);
    return known.number;
  }

  struct Known {
    Words name{};
    std::uint32_t number = 0;
  };
  void learn(Known& known, const Words& name);

  std::unique_ptr<Journal> journal_;
  Part part_;
  Header* header_;
  TraceRecord* ring_;
  std::uint64_t capacity_, place_ = 0, written_ = 0;
  std::uint64_t last_ = 0;  // tick of the latest event
  int depth_ = 0;           // calls that this process is in
  bool counter_;
  bool ended_ = false;   // the latest event is the end of an operation
  bool waited_ = false;  // there was a wait in this round
  bool goes_on_ = false;
  std::array<Known, 64> known_{};
};

}  // namespace tutti::trace

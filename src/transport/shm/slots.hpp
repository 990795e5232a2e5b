// SPDX-License-Identifier: BSD-3-Clause
// The slots of a job: those of the world, and those behind them for tasks that come and go. Only
// the supervisor gives slots out; every process may ask who is where.
#pragma once

#include <cstdint>
#include <string>

#include "transport/departed.hpp"
#include "transport/shm/mapping.hpp"

namespace tutti::transport::shm {

// Returns true if the slot belongs to the world. Such a slot is never given to another process.
[[nodiscard]] bool in_world(const Mapping& mapping, int slot);
// Returns true if a message to `id` can be received: its process is there or is about to come.
// Ranks of a world with DeathPolicy::together stay reachable after they have ended.
[[nodiscard]] bool reachable(const Mapping& mapping, int id);
// Returns true if the process of this endpoint has not ended, or is about to come.
[[nodiscard]] bool is_there(const Mapping& mapping, int id);
// Throws Error unless `id` is reachable: invalid_argument if it never existed, else peer_left with
// a text that names the process.
void require_reachable(const Mapping& mapping, int id);
// Text such as "rank 1 (process 4711) has left the job", or for a task "process 4711 at endpoint
// 1029 was killed by signal 9 (Killed)". `id` is not reachable.
[[nodiscard]] std::string describe_departed(const Mapping& mapping, int id);
// Throws a DepartedError with that text.
[[noreturn]] void fail_departed(const Mapping& mapping, int id);

// How a process has ended.
struct ProcessEnd {
  enum class How : std::uint8_t {
    none,     // it has not
    left,     // in good order
    killed,   // by the signal `value`
    exited,   // with the code `value`, without leaving the job
    failed,   // in one of these two ways
    replaced  // a later process has its slot, so no more is known
  };
  How how = How::none;
  int value = 0;
};
[[nodiscard]] ProcessEnd end_of(const Mapping& mapping, int id);
// Text such as "was killed by signal 9 (Killed)", "has left the job", or "has ended" if no more is
// known. Empty if the process has not ended.
[[nodiscard]] std::string text_of(const ProcessEnd& end);
// Returns true if waiting for `id` is in vain and the waiter, not the supervisor, has to notice it.
[[nodiscard]] bool lost(const Mapping& mapping, int id);
// Counts the departure of the process in `slot`, if others may have to clean up or to stop waiting.
void note_departure(const Mapping& mapping, int slot);

class Slots {
 public:
  explicit Slots(const Mapping& mapping) : mapping_(&mapping) {}

  // Throws Error(no_slot) if fewer than `count` can be taken.
  void require_room(int count) const;
  // Makes an empty slot `expected` in a new generation and returns its endpoint id. The caller has
  // called require_room(). Throws Error(out_of_memory).
  [[nodiscard]] int take(int world_rank);
  // Undoes take() for a slot that nobody was told of.
  void put_back(int slot) { mapping_->endpoint(slot).presence.publish(Presence::empty); }
  // Empties the slot of a process that has ended. Returns false, and keeps the slot taken, while a
  // living process may still touch memory that it shared.
  bool vacate(int slot);

 private:
  [[nodiscard]] int grow();
  [[nodiscard]] bool part(int slot, int other);

  const Mapping* mapping_;
};

}  // namespace tutti::transport::shm

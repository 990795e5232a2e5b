// SPDX-License-Identifier: BSD-3-Clause
// The slots behind the world's, for tasks that come and go. Only the supervisor gives them out;
// everybody may ask who is where.
#pragma once

#include <string>

#include "transport/shm/mapping.hpp"

namespace tutti::transport::shm {

// Slots of the world are never used anew.
[[nodiscard]] bool in_world(const Mapping& mapping, int slot);
// Returns true if a message to `id` can be received: its process is there or is about to come.
// Ranks of a world that lives and dies together count as present also after they have finished.
[[nodiscard]] bool reachable(const Mapping& mapping, int id);
// Throws Error: invalid_argument where nobody has ever been, else peer_left, which says who it was.
void require_reachable(const Mapping& mapping, int id);
// "process 4711 at endpoint 1029, which was killed"; `id` is not reachable.
[[nodiscard]] std::string describe_departed(const Mapping& mapping, int id);
// Returns true if a wait for `id` can be in vain in a way that the waiter must notice, because the
// supervisor does not.
[[nodiscard]] bool lost(const Mapping& mapping, int id);
// Something of `slot` has departed that others may have to clean up after.
void note_departure(const Mapping& mapping, int slot);

class Slots {
 public:
  explicit Slots(const Mapping& mapping) : mapping_(&mapping) {}

  // Throws Error(no_slot) if fewer than `count` can be taken.
  void require_room(int count) const;
  // Gives an empty slot to `expected` in a new generation and returns its id. Throws
  // Error(out_of_memory) when there is no room.
  [[nodiscard]] int take(int world_rank);
  // Nobody was told of the slot taken last.
  void put_back(int slot) { mapping_->endpoint(slot).presence.store(Presence::empty); }
  // Empties the slot of a process that has ended, if nobody that is left can touch anything it has
  // shared.
  bool vacate(int slot);

 private:
  [[nodiscard]] int grow();
  [[nodiscard]] bool part(int slot, int other);

  const Mapping* mapping_;
};

}  // namespace tutti::transport::shm

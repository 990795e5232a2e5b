// SPDX-License-Identifier: BSD-3-Clause
// Where a rank is in its job.
#pragma once

#include <cstdint>

#include "simulate/history.hpp"
#include "simulate/phases.hpp"
#include "simulate/slab.hpp"
#include "simulate/ticks.hpp"

namespace tutti::simulate {

enum class RankState : std::uint8_t {
  entering,    // it goes on to its next phase
  beginning,   // to its next round
  pairing,     // waits for its partner
  paired,      // goes on with its round
  exchanging,  // sends and receives
  draining,    // waits for messages of earlier rounds
  waiting,     // for all others
  finished
};

// A message to send; they stand in lists.
struct Send {
  Slot next;
  std::int32_t to;  // a node
  std::int64_t bytes;
};

struct SimulatedRank {
  Ticks free_since = 0;   // it has done its own part
  Ticks busy_until = 0;   // it combines
  Ticks local_work = 0;   // to do at the end of the round
  Ticks taken_until = 0;  // its receive port
  const Running* running = nullptr;
  History::Id history = 0;
  std::int32_t member = -1;
  std::int32_t phase = -1;
  std::int32_t round = 0;
  std::int32_t partner = -1;
  std::int32_t sends = 0;     // to do or under way
  std::int32_t receives = 0;  // that have not come
  std::uint32_t draws = 0;    // random numbers
  Slot first_send = no_slot;
  Slot waiters = no_slot;  // messages that wait for a receive to be posted
  RankState state = RankState::entering;
  bool posts = false;  // the receives of this round are posted

  void next_round() {
    ++round;
    posts = false;
  }
  // Rounds of its operation whose receives are posted.
  [[nodiscard]] std::int32_t posted() const { return round + (posts ? 1 : 0); }
};

}  // namespace tutti::simulate

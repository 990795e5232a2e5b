// SPDX-License-Identifier: BSD-3-Clause
// The state of one rank: its place in its job, and the work it still has to do.
#pragma once

#include <cstdint>

#include "simulate/history.hpp"
#include "simulate/phases.hpp"
#include "simulate/slab.hpp"
#include "simulate/ticks.hpp"

namespace tutti::simulate {

enum class RankState : std::uint8_t {
  entering,    // about to enter its next phase
  beginning,   // about to begin its next round
  pairing,     // waits for its partner in a pairwise exchange
  paired,      // has met its partner and goes on with its round
  held,        // waits for another processor of its host
  exchanging,  // sends and receives
  draining,    // waits for messages of earlier rounds
  waiting,     // waits at a barrier
  finished
};

// A message to be sent; `next` links the messages of a round into a list.
struct Send {
  Slot next;
  std::int32_t to;  // node of the receiver
  std::int64_t bytes;
};

struct SimulatedRank {
  Ticks free_since = 0;  // time at which its own part of the round was done
  Ticks busy_until = 0;  // time until which it combines
  Ticks local_work = 0;  // copies and local combines at the end of the round
  const Running* running = nullptr;
  History::Id history = 0;
  std::int32_t member = -1;
  std::int32_t phase = -1;
  std::int32_t round = 0;
  std::int32_t ended = 0;  // rounds that have ended, with their work
  std::int32_t partner = -1;
  std::int32_t sends = 0;     // messages to be sent or being sent
  std::int32_t receives = 0;  // messages that have not arrived
  std::uint32_t draws = 0;    // number of random numbers drawn
  Slot first_send = no_slot;
  Slot waiters = no_slot;  // messages that wait until a receive is posted
  RankState state = RankState::entering;
  bool posts = false;  // true if the receives of this round are posted

  void next_round() {
    ++round;
    posts = false;
  }
  // Number of rounds of its operation whose receives are posted.
  [[nodiscard]] std::int32_t posted() const { return round + (posts ? 1 : 0); }
};

}  // namespace tutti::simulate

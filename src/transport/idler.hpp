// SPDX-License-Identifier: BSD-3-Clause
// How one endpoint passes the time of a wait. Each transport has its own; only the Waiter calls
// idle() and awake().
#pragma once

#include "transport/wait_info.hpp"

namespace tutti::transport {

// Tells whether each process of the job has one for itself.
enum class Processors : std::uint8_t { few, enough };

class Idler {
 public:
  virtual ~Idler() = default;

  // Number of failed polls in a row that a waiter makes before it calls idle().
  [[nodiscard]] virtual int spin_turns() const = 0;
  // Called after one more failed poll: yields the processor, or sleeps until something may have
  // changed. `turn` counts the failed polls of this wait, from spin_turns() upwards. Throws
  // Error(peer_left) if nobody is left who can end the wait, but only at the second such call in a
  // row: the poll in between may still find what was sent before.
  virtual void idle(int turn, const WaitInfo& info) = 0;
  // Ends a wait in which idle() was called: it is no longer shown.
  virtual void awake() = 0;
  // Called after a test or a probe of the program that has found nothing, by a process that may
  // look again. Where processes are more than processors, one of them may have it, and runs now.
  virtual void pass() {}

  // Tells whether processors are few, as in an oversubscribed job. A waiter then lets other
  // processes run after its first failed poll.
  [[nodiscard]] Processors processors() const {
    return spin_turns() <= 1 ? Processors::few : Processors::enough;
  }
};

}  // namespace tutti::transport

// SPDX-License-Identifier: BSD-3-Clause
// Runs Programs on a machine that we do not have (machine/machine.hpp): when each rank is done, and
// which messages stood in each other's way. Rounds are emitted when a rank comes to them, so memory
// grows with ranks and links, not with messages. The same input gives the same result, byte for
// byte.
//
// Ranks. A rank begins a round, sends what the round says in the order written, one message after
// the other unless ports are unlimited, and takes what comes for it. Messages are combined as they
// come, one after the other, while others are taken. When sends and receives are done, it does the
// round's local work and goes on to the next round; ranks do not wait for each other. A message
// meets the receive of its own round.
//
// Messages. The sender's port is taken when it begins, for send_alpha + send_beta * m and, on
// circuits, hop for each link, and as much longer as the message is blocked or slowed. Its path is
// wanted alpha - held later (share modes, bus and packets: alpha). Where ports are limited, the
// receiver takes receive_alpha + receive_beta * m for each message, one after the other, at the
// earliest so that this ends with its arrival; on circuits and wormholes, its port is also one more
// link of the path. Elsewhere, a node that does not send and receive at once takes a message after
// what it sends, and sends after what it takes.
//
// Who is first. Whatever ends at an instant, ends first; then ranks go on; then messages get their
// paths, that from the lowest rank first (paper 004, section 4), whether they have waited or come
// now. A message that finds a link of its path taken waits for that link, the first such one, and
// looks again when it is free.
//
// Sharing. A message takes its share of its links for as long as its bytes move, and arrives hop
// for each link later.
//
// Time is counted in picoseconds, as whole numbers: what takes as long ends at the same instant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.hpp"
#include "simulate/job.hpp"
#include "simulate/report.hpp"

namespace tutti::simulate {

// A message from its sender's begin to its receiver's end. `granted`: when its path was its own, or
// its bytes began to move if nothing was in the way.
struct Transfer {
  Name name;
  std::int64_t bytes = 0;
  double begin = 0;
  double granted = 0;
  double end = 0;
};

// What a node did from `begin` to `end`.
enum class Activity { combine, copy, compute, synchronise };
struct Interval {
  Activity work;
  int node = 0;
  int phase = 1;
  int step = 1;
  double begin = 0;
  double end = 0;
};

// Is told what happens, in the order of its end.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void transfer(const Transfer& transfer) = 0;
  virtual void interval(const Interval& interval) = 0;
};

struct SimulationOptions {
  std::uint64_t seed = 1;  // of drift and noise
  Observer* observer = nullptr;
  std::size_t top = 16;  // contentions that are named
  bool links = true;     // per-link figures
  // Waits for others that are remembered to find the slowest path, of all ranks together: the
  // latest ones.
  std::size_t history = std::size_t{1} << 15;
};

// What the schedule and the machine together lead to, where they do not lead to an end.
class Failure : public base::Error {
 public:
  enum class Kind {
    deadlock,  // the text names the ranks or messages that wait for each other
    lost,      // a forced message came before its receive was posted
    unmatched  // a message came that its receiver does not expect in that round
  };
  Failure(Kind kind, const std::string& text) : Error(base::Status::mismatch, text), kind_(kind) {}
  [[nodiscard]] Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

// Throws Error(invalid_argument) if the job does not fit the machine, Failure if it does not come
// to an end.
[[nodiscard]] Report simulate(const machine::Machine& machine, const Job& job,
                              const SimulationOptions& options = {});

}  // namespace tutti::simulate

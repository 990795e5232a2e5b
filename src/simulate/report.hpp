// SPDX-License-Identifier: BSD-3-Clause
// What a simulation tells. Times in microseconds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "machine/machine.hpp"

namespace tutti::simulate {

// Ends of a rank's time: between `begin` and `end` it does one or several of these things, or
// waits.
struct RankTime {
  double begin = 0;  // after the drift
  double end = 0;
  double sending = 0;    // its send port is taken, blocked or not
  double receiving = 0;  // its receive port is
  double combining = 0;
  double copying = 0;
  double computing = 0;  // computation phases and idle waiting
  double waiting = 0;    // it has done its own part of a round or phase and waits for others
};

// A message, named: `phase` and `step` (the round of its operation, both counted from 1), nodes.
struct Name {
  int phase = 1;
  int step = 1;
  int from = 0;
  int to = 0;
  friend bool operator==(const Name&, const Name&) = default;
};

// One message made another one wait. `link` is an index of the topology (Topology::index), 0 on a
// bus.
//   circuit, wormhole       `blocked` came to a link that `blocking` had, and looked again
//                           `wait` later
//   store_and_forward, bus  a packet of `blocked` waited behind one of `blocking`
//   share_*                 `blocked` moved slower than alone, by `wait` in all; `link` is the one
//                           that first made it so
struct Contention {
  double time = 0;
  int link = 0;
  Name blocked;
  Name blocking;
  double wait = 0;
};

struct LinkUse {
  double busy = 0;  // taken or, when shared, used by at least one message
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
  std::int64_t contentions = 0;
  double waited = 0;  // by all messages together
};

// One piece of the slowest path: the node worked or sent by itself from `begin` to `end`, or waited
// for the message from `peer`, which was on its way then, `blocked` of that time behind others, or
// for a barrier (peer = -1) or for a partner's synchronisation.
struct PathStep {
  enum class Kind { own, message, barrier, pair };
  Kind kind = Kind::own;
  int node = 0;
  int peer = -1;
  int phase = 1;
  int step = 1;
  double begin = 0;
  double end = 0;
  double blocked = 0;
};

struct Report {
  double time = 0;  // when the last rank has finished
  std::vector<RankTime> ranks;
  std::vector<PathStep>
      path;  // of the rank that finishes last (the lowest of these), from the start on
  bool path_whole = true;        // false: what lies further back than Options::history was not kept
  std::vector<LinkUse> links;    // by link index; empty unless Options::links
  std::int64_t contentions = 0;  // exact, however many are named
  double waited = 0;             // the sum of their waits
  std::vector<Contention> worst;  // the longest waits first, then the earliest
  std::int64_t port_waits = 0;    // messages that waited for a port of a node, not for a link
  double port_waited = 0;
  std::int64_t messages = 0;  // without requests and answers
  std::int64_t controls = 0;  // requests and answers
  std::int64_t bytes = 0;
  std::int64_t events = 0;
};

}  // namespace tutti::simulate

// SPDX-License-Identifier: BSD-3-Clause
// The results of a simulation. Times are in microseconds.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "machine/machine.hpp"

namespace tutti::simulate {

// The time of one rank. Between `begin` and `end` it does one or several of these things, or waits.
struct RankTime {
  double begin = 0;  // after its drift
  double end = 0;
  double sending = 0;    // its send port is taken, blocked or not
  double receiving = 0;  // its receive port is taken
  double combining = 0;
  double copying = 0;
  double computing = 0;  // computation phases and idle rounds
  double waiting = 0;    // its own part of a round or phase is done and it waits for others
};

// Names a message by phase and step, which is the round of its operation, and by the nodes of the
// job. Phase and step are counted from 1.
struct Name {
  int phase = 1;
  int step = 1;
  int from = 0;
  int to = 0;
  friend auto operator<=>(const Name&, const Name&) = default;
};

// One message made another one wait. `link` is an index of the topology (Topology::index), or 0 on
// a bus.
//   Circuit, wormhole: `blocked` reached a link that `blocking` had, and tried again `wait` later.
//   Store and forward, bus: a packet of `blocked` waited behind one of `blocking`.
//   Sharing: `blocked` moved slower than alone, by `wait` in all; `link` first made it slower.
// The nodes in both names are nodes of the machine.
struct Contention {
  double time = 0;
  int link = 0;
  Name blocked;
  Name blocking;
  double wait = 0;
};

struct LinkUse {
  double busy = 0;  // taken or, if shared, used by at least one message
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
  std::int64_t contentions = 0;
  double waited = 0;  // by all messages together
};

// One piece of the slowest path from `begin` to `end`. The node worked or sent by itself, or it
// waited: for a message from `peer`, for a barrier, for its partner's synchronisation, or for
// another processor of its host. `blocked` is how long that message waited behind others.
struct PathStep {
  enum class Kind { own, message, barrier, pair, processor };
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
  double time = 0;       // when the last rank has finished, or when the simulation was stopped
  bool stopped = false;  // beyond its limit; what ranks did is not reported
  std::vector<RankTime> ranks;
  std::vector<PathStep>
      path;  // path to the rank that finishes last (the lowest of these), in order of time
  bool path_whole = true;         // false: SimulationOptions::history dropped the oldest
  std::vector<LinkUse> links;     // by link index; empty unless SimulationOptions::links
  std::int64_t contentions = 0;   // exact, however many are named
  double waited = 0;              // sum of their waits
  std::vector<Contention> worst;  // longest waits first, then the earliest
  std::int64_t port_waits = 0;    // messages that waited for a port of a node, not for a link
  double port_waited = 0;
  std::int64_t messages = 0;  // without requests and answers
  std::int64_t controls = 0;  // requests and answers
  std::int64_t bytes = 0;
  std::int64_t events = 0;
};

}  // namespace tutti::simulate

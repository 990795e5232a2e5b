// SPDX-License-Identifier: BSD-3-Clause
// Operations that are bound to nodes and bytes, which is all that the simulator knows of them.
#pragma once

#include <cstdint>

#include "schedule/bound.hpp"
#include "simulate/job.hpp"
#include "simulate/ticks.hpp"

namespace tutti::simulate {

using schedule::BoundReceive;
using schedule::BoundSend;
using schedule::LocalCombine;
using schedule::OnArrival;

// The part of one member in one round, with nodes in place of members.
struct NodeRound : schedule::BoundRound {
  Ticks computing = 0;

  [[nodiscard]] bool empty() const { return BoundRound::empty() && computing == 0; }
  void clear() {
    BoundRound::clear();
    computing = 0;
  }
};

// How the members of an operation go through its rounds (JobOperation).
struct Manner {
  int members = 1;
  Posting posting = Posting::by_round;
  bool pairwise = false;
};

class BoundOperation {
 public:
  explicit BoundOperation(const Manner& manner) : manner_(manner) {}
  virtual ~BoundOperation() = default;

  [[nodiscard]] const Manner& manner() const { return manner_; }
  // The last round in which the member does anything comes before this one.
  [[nodiscard]] virtual int rounds(int member) const = 0;
  // Adds what the member does in round t to `round`, which is empty. A member asks for its rounds
  // in their order.
  virtual void read(NodeRound& round, int member, int t) = 0;

 private:
  Manner manner_;
};

}  // namespace tutti::simulate

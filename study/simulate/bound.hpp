// SPDX-License-Identifier: BSD-3-Clause
// Operations that are bound to nodes and bytes, which is all that the simulator knows of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simulate/job.hpp"
#include "simulate/ticks.hpp"

namespace tutti::simulate {

struct BoundSend {
  int to;  // node of the receiver
  std::int64_t bytes;
};

// Tells if a message is combined when it has come.
enum class OnArrival : std::uint8_t { taken, combined };

struct BoundReceive {
  int from;  // node of the sender
  OnArrival then;
};

// Local operands of that many bytes are combined, one less than `operands` times.
struct LocalCombine {
  std::int64_t bytes;
  std::int64_t operands;
};

// The part of one member in one round. Sends and receives are in the order written.
struct BoundRound {
  std::vector<BoundSend> sends;
  std::vector<BoundReceive> receives;
  std::vector<std::int64_t> copies;  // bytes of each
  std::vector<LocalCombine> combines;
  Ticks computing = 0;
  bool passes_on = false;  // it sends data that earlier messages may have brought

  [[nodiscard]] bool empty() const {
    return sends.empty() && receives.empty() && copies.empty() && combines.empty() &&
           computing == 0;
  }
  void clear() {
    sends.clear();
    receives.clear();
    copies.clear();
    combines.clear();
    computing = 0;
    passes_on = false;
  }
};

// How the members of an operation go through its rounds (JobOperation).
struct Manner {
  int members = 1;
  Posting posting = Posting::by_round;
  bool pairwise = false;
  bool waits = false;  // there are waits of members for each other
};

class BoundOperation {
 public:
  explicit BoundOperation(const Manner& manner) : manner_(manner) {}
  virtual ~BoundOperation() = default;

  [[nodiscard]] const Manner& manner() const { return manner_; }
  [[nodiscard]] virtual int rounds() const = 0;
  // Adds what the member does in round t to `round`, which is empty. A member asks for its rounds
  // in their order.
  virtual void read(BoundRound& round, int member, int t) = 0;
  // Returns what the member waits for before it begins the round; MemberWait::other is a node.
  [[nodiscard]] virtual std::span<const MemberWait> waits(int /* member */, int /* t */) const {
    return {};
  }

 private:
  Manner manner_;
};

}  // namespace tutti::simulate

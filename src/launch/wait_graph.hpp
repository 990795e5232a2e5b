// SPDX-License-Identifier: BSD-3-Clause
// Who waits for whom: finding the processes that can never go on, and waits for processes that have
// left.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "launch/report.hpp"

namespace tutti::launch {

// A chain through processes none of which can go on: "rank 0 -> rank 1 -> rank 0", or one that ends
// at a process that has left. Empty when somebody may still move. A wait for any of several is
// stuck only if all of them are.
[[nodiscard]] std::string find_cycle(const std::vector<RankView>& world);

struct LostWait {
  int waiter;
  int departed;
};

// Notices that a rank waits for one that has left. What the departed rank had sent may still be on
// its way, so the waiter must have looked twice, in the same wait, since this was first seen.
class DepartureWatch {
 public:
  [[nodiscard]] std::optional<LostWait> look(const std::vector<RankView>& world);

 private:
  struct Suspicion {
    int pid;  // slots are used anew
    int departed;
    int departed_pid;
    std::uint32_t looks;
    std::uint32_t operation;
    std::uint64_t sequence;
    int round;
  };
  [[nodiscard]] bool confirmed(const RankView& waiter, const RankView& departed);

  std::map<int, Suspicion> suspicions_;  // by waiter
};

}  // namespace tutti::launch

// SPDX-License-Identifier: BSD-3-Clause
// Finds processes that wait for each other or for processes that have left, so that they can never
// go on. The supervisor and the failure monitor ask from time to time, and the supervisor also when
// --timeout passes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "launch/report.hpp"

namespace tutti::launch {

// Returns a chain of processes none of which can go on, such as "rank 0 -> rank 1 -> rank 0", or
// one that ends at a process that has left. Returns an empty text if one of them may still move. A
// wait for any of several is stuck only if all of them are.
[[nodiscard]] std::string find_cycle(const std::vector<RankView>& world);

struct LostWait {
  int waiter;
  int departed;
};

// Notices that a rank waits for one that has left. Messages of the departed rank may still be on
// their way, so the waiter must have polled twice in the same wait since the departure was first
// seen.
class DepartureWatch {
 public:
  [[nodiscard]] std::optional<LostWait> look(const std::vector<RankView>& world);

 private:
  struct Suspicion {
    int pid;  // tells apart processes that have used the same slot
    int departed;
    int departed_pid;
    std::uint32_t looks;
    std::uint32_t operation;
    std::uint64_t sequence;
    int round;
  };
  [[nodiscard]] bool confirmed(const RankView& waiter, const RankView& departed);

  std::map<int, Suspicion> suspicions_;  // key: the waiter
};

// Returns true if no process of the job computes. It asks only one word of each process, because it
// is asked all the time.
[[nodiscard]] bool all_asleep(const transport::shm::Mapping& mapping);

// Says that all processes wait in vain, and for what.
[[nodiscard]] const char* standstill_text(const std::vector<RankView>& world);

// Notices that all processes of a job wait for each other, or for some that have left. A message
// may still be on its way, so each of them must have polled twice in one wait since it was first
// seen. Nobody can then send anything any more.
class StandstillWatch {
 public:
  [[nodiscard]] bool look(const std::vector<RankView>& world);

 private:
  struct Wait {
    int rank;
    int pid;
    std::uint32_t number;
    std::uint32_t looks;
  };
  std::vector<Wait> first_seen_;
};

}  // namespace tutti::launch

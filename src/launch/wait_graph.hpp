// SPDX-License-Identifier: BSD-3-Clause
// Finds processes that wait for each other or for processes that have left, so that they can never
// go on. The supervisor and the failure monitor ask from time to time, and the supervisor also when
// --timeout passes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "launch/report.hpp"

namespace tutti::launch {

// Returns a chain of processes none of which can go on, such as "rank 0 -> rank 1 -> rank 0", or
// one that ends at a process that has left. Returns an empty text if one of them may still move. A
// wait for any of several is stuck only if all of them are.
[[nodiscard]] std::string find_cycle(const std::vector<RankView>& world);

// A wait as it was first seen. A message that ends it may be on its way even if nobody is left to
// send one. So a wait is in vain only if its process has polled twice in it since then.
class SeenWait {
 public:
  explicit SeenWait(const RankView& first)
      : pid_(first.pid), number_(first.wait_number), looks_(first.looks) {}

  // Returns true if the process is still in this wait, and not in a later one.
  [[nodiscard]] bool continues(const RankView& now) const {
    return pid_ == now.pid && number_ == now.wait_number;
  }
  [[nodiscard]] bool polled_twice(const RankView& now) const {
    return continues(now) && now.looks - looks_ >= 2;
  }

 private:
  int pid_;  // tells apart processes that have used the same slot
  std::uint32_t number_, looks_;
};

// Notices that a process waits for one that will send nothing more.
class VainWaits {
 public:
  // Returns true if the process waits for `ended`, and has polled twice since this function first
  // saw it do so.
  [[nodiscard]] bool look(const RankView& waiter, int ended);

 private:
  std::map<std::pair<int, int>, SeenWait> first_seen_;  // key: the waiter, and the one that ended
};

struct LostWait {
  int waiter;
  int departed;
};

// Notices that a rank waits in vain for one that has left.
class DepartureWatch {
 public:
  [[nodiscard]] std::optional<LostWait> look(const std::vector<RankView>& world);

 private:
  struct Suspicion {
    SeenWait wait;
    int departed;
    int departed_pid;
  };
  [[nodiscard]] bool confirmed(const RankView& waiter, const RankView& departed);

  std::map<int, Suspicion> suspicions_;  // key: the waiter
};

// Returns true if no process of the job computes. It asks only one word of each process, because it
// is asked all the time.
[[nodiscard]] bool all_asleep(const transport::shm::Mapping& mapping);

// Says that all processes wait in vain, and for what.
[[nodiscard]] const char* standstill_text(const std::vector<RankView>& world);

// Notices that all processes of a job wait in vain for each other, or for some that have left.
// Nobody can then send anything any more.
class StandstillWatch {
 public:
  [[nodiscard]] bool look(const std::vector<RankView>& world);

 private:
  std::vector<std::pair<int, SeenWait>> first_seen_;  // rank and wait
};

}  // namespace tutti::launch

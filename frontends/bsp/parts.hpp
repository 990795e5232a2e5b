// SPDX-License-Identifier: BSD-3-Clause
// The parallel parts of a program that names each of them by bsp_init. Process 0 alone runs main.
// The others, its workers, wait in bsp_init until process 0 begins a part, and run its function.
#pragma once

#include <tutti/tutti.h>

#include <cstdint>
#include <vector>

namespace tutti::bsp {

// The processes of one parallel part.
struct PartMembers {
  std::uint64_t number = 0;    // of the part, from 1
  bool whole_world = false;    // they are all that were started together
  std::vector<int> endpoints;  // in the order of their process numbers
};

class Workers {
 public:
  // Called by process 0 when it has joined its job: workers of a program that was started by hand
  // are started when a part needs them.
  void set_started_by_hand(bool by_hand) { by_hand_ = by_hand; }
  [[nodiscard]] bool started_by_hand() const { return by_hand_; }

  // Lets at most `processes` - 1 workers run the function, and returns the members of the part.
  [[nodiscard]] PartMembers begin(int processes, void (*function)());
  // Lets all workers end.
  void dismiss();

 private:
  void find();
  void start(int missing);

  bool by_hand_ = false, found_ = false;
  std::uint64_t parts_ = 0;
  std::vector<int> endpoints_;  // of this process and of all workers
  int started_together_ = 0;    // how many of them are the world of this process
};

// Returns true if this process is a worker, which process 0 has started or a launcher.
[[nodiscard]] bool is_worker();

// Process 0 tells a worker with whom to run which function; nullptr: there is no further part.
struct PartOrder {
  PartMembers members;
  void (*function)() = nullptr;
};
// Has reports say what a worker waits for in next_part().
void describe_wait();
// Waits in a worker for the next part.
[[nodiscard]] PartOrder next_part();

// Returns the group of the members. All of them call it.
[[nodiscard]] tutti_group group_of(const PartMembers& members);

}  // namespace tutti::bsp

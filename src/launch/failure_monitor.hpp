// SPDX-License-Identifier: BSD-3-Clause
// A process that reports failures where MPI starts the ranks and no supervisor watches them. There
// is one per machine. It sees a rank die and says which one and in which call, besides what MPI
// reports and does. On a single host it also sees that all ranks wait in vain, says so, and lets
// them end. monitor_start.hpp starts it.
#pragma once

#include <sys/types.h>

#include <vector>

#include "launch/helper_process.hpp"
#include "launch/neighbours.hpp"
#include "launch/outcome.hpp"
#include "transport/shm/mapping.hpp"

namespace tutti::launch {

struct MonitoredRank {
  int rank = 0;
  pid_t pid = 0;
  const transport::shm::Mapping* mapping = nullptr;
};

struct Monitored {
  std::vector<MonitoredRank> ranks{};
  // The segment if it has all ranks of the job and a standstill ends the job; otherwise nullptr.
  const transport::shm::Mapping* whole = nullptr;
  int life = -1;  // closes when the rank that has started the monitor ends
  Neighbours neighbours{};
};

// Makes this process, a helper, the failure monitor of these ranks. It returns after the end of the
// last rank, or after its report. It says that it has begun when it sees every end. Throws Error.
void be_failure_monitor(Monitored monitored, Helper& helper);

}  // namespace tutti::launch

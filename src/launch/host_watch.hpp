// SPDX-License-Identifier: BSD-3-Clause
// Notices that a rank of this machine waits for one on a machine from which nothing comes any more,
// and says so once. The failure monitor asks it from time to time.
#pragma once

#include <chrono>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include "launch/host_lines.hpp"
#include "launch/neighbours.hpp"
#include "launch/report.hpp"
#include "launch/silence.hpp"
#include "launch/wait_graph.hpp"

namespace tutti::launch {

class HostWatch {
 public:
  HostWatch(Neighbours neighbours, Silence silence, OperationName operation_name);

  struct Finding {
    std::string text{};  // a line to print; empty if there is nothing new to say
    bool ends = false;   // the job has to end
  };
  // `world` has the ranks of this machine. The caller asks several times a second.
  [[nodiscard]] Finding look(const std::vector<RankView>& world);

 private:
  using Clock = std::chrono::steady_clock;
  struct LongWait {
    SeenWait wait;
    Clock::time_point since;
  };

  [[nodiscard]] bool waits_long(const RankView& view);
  [[nodiscard]] Finding compare(const RankView& view);
  [[nodiscard]] std::string text_of(const RankView& view, std::size_t other, int awaited,
                                    const LifeSign& sign, bool ends);

  Neighbours neighbours_;
  Silence silence_;
  OperationName operation_name_;
  HostLines lines_;
  std::map<int, std::size_t> machine_of_;  // rank on another machine -> its place in the neighbours
  std::map<int, LongWait> waits_;          // key: a rank of this machine
  // The life of each machine that was last said, until the machine answers again.
  std::vector<Life> said_;
};

}  // namespace tutti::launch

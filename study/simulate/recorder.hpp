// SPDX-License-Identifier: BSD-3-Clause
// Collects figures of links and contentions while a simulation runs: exact sums, and a bounded list
// of the longest waits.
#pragma once

#include <cstddef>
#include <vector>

#include "simulate/report.hpp"
#include "simulate/ticks.hpp"

namespace tutti::simulate {

class Recorder {
 public:
  // `links` is the number of links to keep figures of; 0 for none.
  Recorder(std::size_t links, std::size_t top) : links_(links), top_(top) {}

  void contention(int link, Ticks time, Ticks wait, const Name& blocked, const Name& blocking);
  void port_wait(Ticks wait) {
    ++port_waits_;
    port_waited_ += wait;
  }
  void use(int link, int messages, std::int64_t bytes, Ticks busy) {
    if (links_.empty()) return;
    Use& use = links_[static_cast<std::size_t>(link)];
    use.messages += messages;
    use.bytes += bytes;
    use.busy += busy;
  }

  void report(Report& report) const;

 private:
  struct Use {
    Ticks busy = 0, waited = 0;
    std::int64_t messages = 0, bytes = 0, contentions = 0;
  };
  // A contention in ticks, which compare exactly.
  struct Kept {
    Ticks wait;
    Ticks time;
    int link;
    Name blocked, blocking;
  };
  static bool worse(const Kept& a, const Kept& b);

  std::vector<Use> links_;
  std::size_t top_;
  std::vector<Kept> worst_;  // a heap, the shortest wait on top
  std::int64_t contentions_ = 0, port_waits_ = 0;
  Ticks waited_ = 0, port_waited_ = 0;
};

}  // namespace tutti::simulate

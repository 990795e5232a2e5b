// SPDX-License-Identifier: BSD-3-Clause
// The waits of ranks, from which the slowest path is found at the end. Only the latest waits are
// kept, as many as asked for. Each knows the wait before it on its path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulate/report.hpp"
#include "simulate/ticks.hpp"

namespace tutti::simulate {

class History {
 public:
  using Id = std::uint64_t;  // 0: no wait so far

  struct Wait {
    PathStep::Kind kind;
    int node, peer, phase, step;
    Ticks begin, end, blocked;
    Id before;  // last wait of the peer at `begin`
  };

  explicit History(std::size_t most) : most_(most) {}

  [[nodiscard]] Id add(const Wait& wait);
  // Adds the path to `node`, which was done at `end`, to the report.
  void report(Report& report, int node, Ticks end, Id last) const;

 private:
  std::size_t most_;
  std::vector<Wait> waits_;  // a ring buffer
  Id count_ = 0;
};

}  // namespace tutti::simulate

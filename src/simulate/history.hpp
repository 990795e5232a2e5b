// SPDX-License-Identifier: BSD-3-Clause
// What ranks have waited for, so that the slowest path can be told in the end. Only the latest
// waits are kept, as many as asked for; each knows the one before it on its path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulate/report.hpp"
#include "simulate/ticks.hpp"

namespace tutti::simulate {

class History {
 public:
  using Id = std::uint64_t;  // 0: nothing was waited for so far

  struct Wait {
    PathStep::Kind kind;
    int node, peer, phase, step;
    Ticks begin, end, blocked;
    Id before;  // of the peer at `begin`
  };

  explicit History(std::size_t most) : most_(most) {}

  [[nodiscard]] Id add(const Wait& wait);
  // The path to `node`, which was done at `end`.
  void report(Report& report, int node, Ticks end, Id last) const;

 private:
  std::size_t most_;
  std::vector<Wait> waits_;  // a ring
  Id count_ = 0;
};

}  // namespace tutti::simulate

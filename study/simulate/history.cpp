// SPDX-License-Identifier: BSD-3-Clause
// A ring buffer of waits, and the way back through it (history.hpp).
#include "simulate/history.hpp"

#include <algorithm>

namespace tutti::simulate {

History::Id History::add(const Wait& wait) {
  if (most_ == 0) return 0;
  if (waits_.size() < most_) {
    waits_.push_back(wait);
  } else {
    waits_[count_ % most_] = wait;
  }
  return ++count_;
}

void History::report(Report& report, int node, Ticks end, Id last) const {
  std::vector<PathStep>& path = report.path;
  const auto own = [&](Ticks begin) {
    if (begin < end)
      path.push_back(
          {PathStep::Kind::own, node, -1, 0, 0, microseconds(begin), microseconds(end), 0});
  };
  report.path_whole = most_ > 0;
  while (last != 0) {
    if (last + most_ <= count_) {
      report.path_whole = false;
      break;
    }
    const Wait& wait = waits_[(last - 1) % most_];
    own(wait.end);
    path.push_back({wait.kind, wait.node, wait.peer, wait.phase, wait.step,
                    microseconds(wait.begin), microseconds(wait.end), microseconds(wait.blocked)});
    node = wait.peer;
    end = wait.begin;
    last = wait.before;
  }
  if (report.path_whole) own(0);
  std::reverse(path.begin(), path.end());
}

}  // namespace tutti::simulate

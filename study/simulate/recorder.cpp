// SPDX-License-Identifier: BSD-3-Clause
// Sums up the use of links, and selects the longest waits (recorder.hpp).
#include "simulate/recorder.hpp"

#include <algorithm>
#include <tuple>

namespace tutti::simulate {

bool Recorder::worse(const Kept& a, const Kept& b) {
  if (a.wait != b.wait) return a.wait > b.wait;
  const auto key = [](const Kept& kept) {
    return std::tuple(kept.time, kept.link, kept.blocked.from, kept.blocked.to);
  };
  return key(a) < key(b);
}

void Recorder::contention(int link, Ticks time, Ticks wait, const Name& blocked,
                          const Name& blocking) {
  ++contentions_;
  waited_ += wait;
  if (!links_.empty()) {
    Use& use = links_[static_cast<std::size_t>(link)];
    ++use.contentions;
    use.waited += wait;
  }
  if (top_ == 0) return;
  const Kept kept{wait, time, link, blocked, blocking};
  if (worst_.size() == top_) {
    if (!worse(kept, worst_.front())) return;
    std::pop_heap(worst_.begin(), worst_.end(), worse);
    worst_.pop_back();
  }
  worst_.push_back(kept);
  std::push_heap(worst_.begin(), worst_.end(), worse);
}

void Recorder::report(Report& report) const {
  report.links.reserve(links_.size());
  for (const Use& use : links_)
    report.links.push_back({microseconds(use.busy), use.messages, use.bytes, use.contentions,
                            microseconds(use.waited)});
  report.contentions = contentions_;
  report.waited = microseconds(waited_);
  report.port_waits = port_waits_;
  report.port_waited = microseconds(port_waited_);
  std::vector<Kept> sorted = worst_;
  std::sort(sorted.begin(), sorted.end(), worse);
  for (const Kept& kept : sorted)
    report.worst.push_back(
        {microseconds(kept.time), kept.link, kept.blocked, kept.blocking, microseconds(kept.wait)});
}

}  // namespace tutti::simulate

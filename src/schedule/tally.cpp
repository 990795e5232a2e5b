// SPDX-License-Identifier: BSD-3-Clause
// Adds what the ranks do in a round to the counts of the schedule.
#include "schedule/tally.hpp"

#include <algorithm>

namespace tutti::schedule {

Tally::Tally(int p, const Durations& durations)
    : durations_(durations), clocks_(p, durations), ranks_(static_cast<std::size_t>(p)) {}

void Tally::begin_round(const std::vector<int>& active) {
  messages_ = 0;
  active_ = active;
  for (const int rank : active_) {
    at(rank) = {.last_round = at(rank).last_round};
    clocks_.begin_round(rank);
  }
}

Time Tally::send(int rank, std::int64_t blocks) {
  ++messages_;
  ++at(rank).sends;
  at(rank).blocks_sent += blocks;
  return clocks_.send(rank);
}

void Tally::work(int rank) {
  at(rank).last_round = messages_ > 0 ? counts_.rounds : counts_.rounds - 1;
}

void Tally::receive(int rank, std::int64_t blocks, Time issued) {
  ++at(rank).receives;
  at(rank).blocks_received += blocks;
  clocks_.receive(rank, issued);
}

void Tally::combine(int rank, std::int64_t blocks) {
  at(rank).combines += blocks;
  clocks_.combine(rank);
}

void Tally::end_round() {
  OfRank most;
  for (const int rank : active_) {
    const OfRank& r = at(rank);
    clocks_.end_round(rank);
    counts_.volume += r.blocks_sent;
    counts_.combines += r.combines;
    most.sends = std::max({most.sends, r.sends, r.receives});
    most.blocks_sent = std::max({most.blocks_sent, r.blocks_sent, r.blocks_received});
    most.combines = std::max(most.combines, r.combines);
  }
  one_port_ = one_port_ && most.sends <= 1;
  counts_.messages += messages_;
  counts_.alpha += most.sends;
  counts_.beta += most.blocks_sent;
  counts_.gamma += most.combines;
  if (messages_ == 0) return;  // a round of local work only
  ++counts_.rounds;
  counts_.sends.push_back(messages_);
}

Counts Tally::finish(int root) {
  counts_.root = clocks_.finished(root);
  counts_.done.assign(static_cast<std::size_t>(counts_.rounds), 0);
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    counts_.longest = durations_.later(counts_.longest, clocks_.finished(static_cast<int>(rank)));
    for (int i = std::max(0, ranks_[rank].last_round); i < counts_.rounds; ++i)
      ++counts_.done[static_cast<std::size_t>(i)];
  }
  return counts_;
}

}  // namespace tutti::schedule

// SPDX-License-Identifier: BSD-3-Clause
// Fragments from the heap, for a sender whose arena is stuck. The oldest fragment may be for a
// process that waits outside of tutti, perhaps for what a later message of this sender would bring
// about. If the arena's tail has not moved for long, fragments come from the heap until it moves.
// The number of packets that a channel holds bounds their number.
#pragma once

#include <cstdint>
#include <vector>

#include "transport/clock.hpp"
#include "transport/shm/send_arena.hpp"

namespace tutti::transport::shm {

class HeapFragments {
 public:
  HeapFragments(const Mapping& mapping, const SendArena& arena, const Clock& clock)
      : mapping_(&mapping), arena_(&arena), clock_(&clock) {}
  // Fragments that readers still need stay allocated until the job's memory goes.
  ~HeapFragments() { reclaim(); }
  HeapFragments(const HeapFragments&) = delete;
  HeapFragments& operator=(const HeapFragments&) = delete;

  // Called after the arena has refused. `data` is nullptr while the arena may still move by itself,
  // and at the job's memory limit.
  [[nodiscard]] Fragment acquire(std::uint32_t wanted);
  // Says that the fragment acquired last was posted to one more reader.
  void posted(const PostedFragment& delivery) { fragments_.back().posts.push_back(delivery); }
  // Called at each turn of a wait after its spin.
  void waited() {
    if (refused_) [[unlikely]]
      look_at_clock();
  }
  // Called when the wait is over.
  void awake() {
    refused_ = false;
    if (!fragments_.empty()) [[unlikely]]
      reclaim();
  }

 private:
  struct Taken {
    std::uint64_t offset;
    std::size_t bytes;
    std::vector<PostedFragment> posts;
  };
  void look_at_clock();
  void reclaim();

  const Mapping* mapping_;
  std::vector<Taken> fragments_;
  const SendArena* arena_;
  const Clock* clock_;
  std::uint64_t tail_ = 0;   // tail of the arena when it last moved
  std::uint64_t since_ = 0;  // when the arena last moved; 0: it was not looked at yet
  bool refused_ = false;     // the arena has refused in this wait
  std::uint32_t refusals_ = 0;
  bool opened_ = false;
};

}  // namespace tutti::transport::shm

// SPDX-License-Identifier: BSD-3-Clause
// Fragments beside the send arena. The oldest fragment of the arena may be for a process that reads
// nothing now: it waits outside of tutti, perhaps for something that our other messages will bring
// about. When the arena has not moved for long, fragments come from the heap until it does
// (decision 0024). Their number is bounded by the packets that a channel holds.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "transport/shm/send_arena.hpp"

namespace tutti::transport::shm {

class HeapFragments {
 public:
  HeapFragments(const Mapping& mapping, const SendArena& arena)
      : mapping_(&mapping), arena_(&arena) {}
  // Fragments that somebody still has to read stay: they go with the job's memory.
  ~HeapFragments() { reclaim(); }
  HeapFragments(const HeapFragments&) = delete;
  HeapFragments& operator=(const HeapFragments&) = delete;

  // After the arena has refused. data == nullptr while that may still change by itself, and at the
  // job's limit.
  [[nodiscard]] Fragment acquire(std::uint32_t wanted);
  // The fragment acquired last.
  void posted(const PostedFragment& delivery) { fragments_.back().posts.push_back(delivery); }
  // At each turn of a wait, once it takes more than turns.
  void waited() {
    if (refused_) [[unlikely]]
      look_at_clock();
  }
  // The wait is over.
  void awake() {
    refused_ = false;
    if (!fragments_.empty()) [[unlikely]]
      reclaim();
  }

 private:
  using Clock = std::chrono::steady_clock;
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
  std::uint64_t tail_ = 0;     // of the arena, when it was last seen to have moved
  Clock::time_point since_{};  // when that was
  bool refused_ = false;       // in this wait
  std::uint32_t refusals_ = 0;
  bool opened_ = false;
};

}  // namespace tutti::transport::shm

// SPDX-License-Identifier: BSD-3-Clause
// The memory a sender copies large packets into: one ring per endpoint, handed out in order and
// taken back in order once every reader has taken its packet. It is larger than a second-level
// cache on purpose (decision 0003), but where processes take turns on processors it begins
// anew as soon as it is empty (0042).
#pragma once

#include <atomic>
#include <cstdint>

#include "base/fifo.hpp"
#include "transport/shm/heap.hpp"
#include "transport/shm/reader.hpp"
#include "transport/shm/store_policy.hpp"
#include "transport/transport.hpp"

namespace tutti::transport::shm {

// In shared memory, in front of each fragment. Only those that are timed have it written and read.
struct alignas(line_bytes) FragmentHeader {
  std::int64_t took;  // ns: negative its beginning, then to write it, then to write and to read it
};

// Reads the clock for fragments that are timed.
[[nodiscard]] inline std::int64_t nanoseconds_now() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class SendArena {
 public:
  SendArena(const Mapping& mapping, int self)
      : mapping_(&mapping), bytes_(mapping.header().arena_bytes), self_(self) {}

  // A fragment for `wanted` bytes; data == nullptr while readers still hold what is in the way.
  [[nodiscard]] Fragment acquire(std::uint32_t wanted, std::uint32_t readers);
  // The fragment acquired last.
  void posted(const PostedFragment& delivery);
  [[nodiscard]] bool last_is_timed() const { return last_is_timed_; }
  // Where the oldest fragment that is not taken back begins.
  [[nodiscard]] std::uint64_t tail() const { return tail_; }

 private:
  // A piece of the ring. The rest that is skipped at its end is a piece without readers.
  struct Piece {
    std::uint32_t span = 0;
    std::uint32_t posts = 0;  // readers that are not known to have taken it
    bool non_temporal = false;
    bool timed = false;
  };

  void attach();
  void reclaim();
  void rewind();
  void learn(const Piece& piece);
  [[nodiscard]] bool has_room(std::uint64_t span) const { return head_ + span - tail_ <= bytes_; }
  [[nodiscard]] StorePolicy::Choice choose(std::uint32_t wanted, std::uint32_t readers);
  [[nodiscard]] FragmentHeader* at(std::uint64_t position) const {
    return mapping_->at<FragmentHeader>(base_ + position % bytes_);
  }

  // Acquisitions from one look at readers to the next.
  static constexpr int between_looks = 4;
  // So much is filled before the ring begins anew: a quarter of a second-level cache, which several
  // processes share then.
  [[nodiscard]] std::uint64_t crowded_window() const { return bytes_ / 8; }

  const Mapping* mapping_;
  std::uint64_t bytes_;
  int self_;
  std::uint64_t base_ = 0;
  std::uint64_t head_ = 0;  // positions grow for ever; the ring is position modulo bytes
  std::uint64_t tail_ = 0;
  base::Fifo<Piece> pieces_{256};          // from tail_ to head_
  base::Fifo<PostedFragment> posts_{256};  // of the pieces, in their order
  int until_look_ = between_looks;
  bool last_is_timed_ = false;
  CacheLocality locality_;
  StorePolicy store_policy_;
};

}  // namespace tutti::transport::shm

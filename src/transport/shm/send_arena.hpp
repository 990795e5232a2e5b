// SPDX-License-Identifier: BSD-3-Clause
// The send arena: memory from which one endpoint takes the fragments it sends. It is a ring, handed
// out in order and reclaimed in order once every reader has taken its packet. It is larger than a
// second-level cache on purpose (docs/internals/shared-memory.md, "The size of a send arena"). In
// an oversubscribed job it begins anew as soon as it is empty. Fragments owns it.
#pragma once

#include <cstdint>

#include "base/fifo.hpp"
#include "transport/shm/heap.hpp"
#include "transport/shm/ring.hpp"
#include "transport/store_policy.hpp"
#include "transport/transport.hpp"

namespace tutti::transport::shm {

// Header in front of each fragment in shared memory. It is written and read only for fragments that
// are timed.
struct alignas(line_bytes) FragmentHeader {
  // In ns: at first minus the time at which writing began, then the time to write, then the time to
  // write and to read.
  std::int64_t took;
};

// The present time of a steady clock, for timed fragments.
[[nodiscard]] inline std::int64_t nanoseconds_now() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Says that a fragment was posted to a reader as packet number `packets`, counted from 1. The
// fragment is free when every reader to which it was posted has taken that packet: a reader
// publishes only how many packets it has taken (docs/internals/shared-memory.md, "Fragments are
// reclaimed by counts"). Writers keep their addresses as long as the transport exists.
struct PostedFragment {
  RingWriter<Lane::collective>* ring;
  std::uint64_t packets;
};

class SendArena {
 public:
  SendArena(const Mapping& mapping, int self)
      : mapping_(&mapping),
        tuning_(&mapping.tuning()),
        bytes_(static_cast<std::uint64_t>(tuning_->fragment_ring)),
        self_(self),
        store_policy_(*tuning_) {}

  // Returns a fragment for `wanted` bytes. `data` is nullptr while readers still hold the memory
  // that comes next.
  [[nodiscard]] Fragment acquire(std::uint32_t wanted, std::uint32_t readers,
                                 const PeerDistance& first);
  // Says that the fragment acquired last was posted to one more reader.
  void posted(const PostedFragment& delivery);
  [[nodiscard]] bool last_is_timed() const { return last_is_timed_; }
  // Position at which the oldest fragment that is not reclaimed begins.
  [[nodiscard]] std::uint64_t tail() const { return tail_; }

 private:
  // A part of the ring: a fragment with its header, or the rest skipped at the end, which nobody
  // reads.
  struct Piece {
    std::uint32_t span = 0;
    std::uint32_t posts = 0;  // readers not known to have taken it
    bool non_temporal = false;
    bool timed = false;
  };

  void attach();
  void reclaim();
  void rewind();
  void learn(const Piece& piece);
  [[nodiscard]] bool has_room(std::uint64_t span) const { return head_ + span - tail_ <= bytes_; }
  [[nodiscard]] FragmentHeader* at(std::uint64_t position) const {
    return mapping_->at<FragmentHeader>(base_ + position % bytes_);
  }

  // Bytes filled in an oversubscribed job before the ring may begin anew.
  [[nodiscard]] std::uint64_t oversubscribed_window() const {
    return bytes_ / static_cast<std::uint64_t>(tuning_->crowded_window);
  }

  const Mapping* mapping_;
  const base::Tuning* tuning_;
  std::uint64_t bytes_;
  int self_;
  std::uint64_t base_ = 0;
  std::uint64_t head_ = 0;  // positions grow for ever; the offset in the ring is position % bytes_
  std::uint64_t tail_ = 0;
  base::Fifo<Piece> pieces_{256};          // the ring from tail_ to head_
  base::Fifo<PostedFragment> posts_{256};  // the posts of the pieces, in order
  std::int64_t until_look_ = 0;            // fragments until the next look at the readers' counts
  bool last_is_timed_ = false;
  StorePolicy store_policy_;
};

}  // namespace tutti::transport::shm

// SPDX-License-Identifier: BSD-3-Clause
// The reader of a channel as its writer sees it. The reader reports the packets that it has taken
// and nothing else about fragments: a fragment is free when all readers that it was posted to have
// taken their packets (decision 0037).
#pragma once

#include <cstdint>

#include "transport/shm/cache_locality.hpp"
#include "transport/shm/line_ring.hpp"

namespace tutti::transport::shm {

class Reader {
 public:
  void reads(const LineRing& ring) { ring_ = &ring; }
  // The first so many packets, with a look at the reader's line only where that is not known yet.
  // The look may tell the distance.
  [[nodiscard]] bool has_taken(std::uint64_t packets, CacheLocality* distance = nullptr) {
    if (taken_ < packets) taken_ = look(distance);
    return taken_ >= packets;
  }

 private:
  std::uint64_t look(CacheLocality* distance) const {
    if (distance == nullptr) return ring_->consumed.load(std::memory_order_acquire);
    return distance->load(ring_->consumed, [this](std::uint64_t found) { return found > taken_; });
  }

  const LineRing* ring_ = nullptr;
  std::uint64_t taken_ = 0;  // packets, as far as is known
};

// A fragment has been posted as packet number `packets`, counted from 1. Readers stay where they
// are as long as the transport.
struct PostedFragment {
  Reader* reader;
  std::uint64_t packets;
};

}  // namespace tutti::transport::shm

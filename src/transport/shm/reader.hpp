// SPDX-License-Identifier: BSD-3-Clause
// The reader of a channel as its writer sees it. A reader publishes only how many packets it has
// taken. A fragment is free when every reader to which it was posted has taken the packet that
// announces it (docs/internals/shared-memory.md, "Fragments are reclaimed by counts"). Used by the
// send arena and the heap fragments.
#pragma once

#include <cstdint>

#include "transport/shm/cache_locality.hpp"
#include "transport/shm/line_ring.hpp"

namespace tutti::transport::shm {

class Reader {
 public:
  void reads(const LineRing& ring) { ring_ = &ring; }
  // Returns true if the reader is known to have taken the first `packets` packets. Loads the count
  // that the reader publishes only if the last one was too low. May time the load for `locality`.
  [[nodiscard]] bool has_taken(std::uint64_t packets, CacheLocality* locality = nullptr) {
    if (taken_ < packets) taken_ = look(locality);
    return taken_ >= packets;
  }

 private:
  std::uint64_t look(CacheLocality* locality) const {
    if (locality == nullptr) return ring_->consumed.see();
    return locality->load(ring_->consumed, [this](std::uint64_t found) { return found > taken_; });
  }

  const LineRing* ring_ = nullptr;
  std::uint64_t taken_ = 0;  // packets known to be taken
};

// Says that a fragment was posted to `reader` as packet number `packets`, counted from 1. Readers
// keep their addresses as long as the transport exists.
struct PostedFragment {
  Reader* reader;
  std::uint64_t packets;
};

}  // namespace tutti::transport::shm

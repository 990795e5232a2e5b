// SPDX-License-Identifier: BSD-3-Clause
// Remembers what belongs to a handle of MPI. An attribute of the object holds it; this cache saves
// most of the calls that read attributes.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tutti::mpi {

// MPI uses handles anew, so the caches of all threads are void when an object is freed.
inline std::atomic<std::uint32_t> objects_freed = 1;

// Each thread has a cache of its own, so it needs no lock.
template <class Handle, class Record, std::size_t places>
class HandleCache {
 public:
  // Returns what was kept for the handle; nullptr if nothing was, or if an object has been freed
  // since.
  [[nodiscard]] Record* find(Handle handle) const {
    const Place& place = places_[place_of(handle)];
    return place.handle == handle &&
                   place.freed_before == objects_freed.load(std::memory_order_relaxed)
               ? place.record
               : nullptr;
  }
  void keep(Handle handle, Record* record) {
    places_[place_of(handle)] = {handle, record, objects_freed.load(std::memory_order_relaxed)};
  }

 private:
  struct Place {
    Handle handle{};
    Record* record = nullptr;
    std::uint32_t freed_before = 0;
  };
  static std::size_t place_of(Handle handle) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &handle, sizeof handle);
    return (bits ^ bits >> 7 ^ bits >> 13) % places;
  }

  std::array<Place, places> places_{};
};

}  // namespace tutti::mpi

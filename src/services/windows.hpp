// SPDX-License-Identifier: BSD-3-Clause
// Windows: memory that one process allocates and all processes on its machine reach directly, each
// at an address of its own. The functions of api/ use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "transport/shm/heap.hpp"
#include "transport/shm/lent_memory.hpp"
#include "transport/shm/mapping.hpp"
#include "transport/store_policy.hpp"

namespace tutti::services {

class Windows {
 public:
  // `self` is the slot of this process.
  Windows(const transport::shm::Mapping& mapping, int self);
  // Frees the windows that this process has not freed.
  ~Windows();
  Windows(const Windows&) = delete;
  Windows& operator=(const Windows&) = delete;

  // Returns memory aligned to a cache line, with arbitrary contents. Throws Error when the limit of
  // the job is reached.
  [[nodiscard]] void* allocate(std::int64_t bytes);
  // Returns memory in which windows of middle length follow each other, for one that is filled,
  // read and freed again and again. Returns nullptr if that does not pay yet or there is no room.
  [[nodiscard]] void* in_turn(std::int64_t bytes);
  // Frees a window. Throws Error unless allocate() or in_turn() gave the address.
  void free(void* address);
  // Copies data into a window in the way that is faster now, through the caches or past them.
  // Throws Error unless `to` lies in shared memory, or if there is no data.
  void write(void* to, const void* from, std::int64_t bytes);
  [[nodiscard]] bool empty() const { return sizes_.empty() && turns_.outstanding() == 0; }

  // Returns the name of an address, equal in all processes. Returns 0 when the address is not in
  // shared memory.
  [[nodiscard]] std::uint64_t name_of(const void* address) const;
  // Returns the address of a name in this process.
  [[nodiscard]] void* address_of(std::uint64_t name) const;

 private:
  const transport::shm::Mapping* mapping_;
  transport::shm::Heap heap_;
  std::map<std::uint64_t, std::size_t> sizes_;  // sizes by name
  transport::shm::LentMemory turns_;
  transport::PeerDistance unknown_;  // nobody knows who reads a window
  transport::StorePolicy stores_;
};

}  // namespace tutti::services

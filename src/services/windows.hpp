// SPDX-License-Identifier: BSD-3-Clause
// Windows: memory that one process allocates and all processes on its machine reach directly, each
// at an address of its own. The functions of api/ use it, for the memory of programs, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

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
  // From now on, the windows that this process has not freed are its own until it ends. Returns
  // false if there are none.
  [[nodiscard]] bool keep();
  Windows(const Windows&) = delete;
  Windows& operator=(const Windows&) = delete;

  // Returns memory aligned to a cache line, or to a page from one page up, with arbitrary contents.
  // Throws Error when the limit of the job is reached.
  [[nodiscard]] void* allocate(std::int64_t bytes);
  // Returns such memory if half of the job's limit is left then, even if all processes here ask for
  // as much at once; nullptr otherwise.
  [[nodiscard]] void* allocate_if_room(std::int64_t bytes);
  // Returns memory in which windows of middle length follow each other, for one that is filled,
  // read and freed again and again. Returns nullptr if that does not pay yet or there is no room.
  [[nodiscard]] void* in_turn(std::int64_t bytes);
  // Returns the memory at an address that allocate() gave; nothing for any other address.
  [[nodiscard]] std::span<const std::byte> at(const void* address) const;
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
  [[nodiscard]] void* take(std::size_t size);

  const transport::shm::Mapping* mapping_;
  transport::shm::Heap heap_;
  std::map<std::uint64_t, std::size_t> sizes_;  // sizes by name
  transport::shm::LentMemory turns_;
  transport::PeerDistance unknown_;  // nobody knows who reads a window
  transport::StorePolicy stores_;
};

}  // namespace tutti::services

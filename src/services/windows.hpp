// SPDX-License-Identifier: BSD-3-Clause
// Memory that one process asks for and all processes on its machine reach directly, each at an
// address of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "transport/shm/heap.hpp"
#include "transport/shm/mapping.hpp"

namespace tutti::services {

class Windows {
 public:
  explicit Windows(const transport::shm::Mapping& mapping) : mapping_(&mapping), heap_(mapping) {}
  // Gives back all windows that this process still has.
  ~Windows();
  Windows(const Windows&) = delete;
  Windows& operator=(const Windows&) = delete;

  // Aligned to a cache line; contents arbitrary. Throws Error when the limit of the job is reached.
  [[nodiscard]] void* allocate(std::int64_t bytes);
  // Throws Error unless allocate() gave the address.
  void free(void* address);
  [[nodiscard]] bool empty() const { return sizes_.empty(); }

  // Returns the name that all processes give this address; 0 when it is not in shared memory.
  [[nodiscard]] std::uint64_t name_of(const void* address) const;
  // The place of that name in this process.
  [[nodiscard]] void* address_of(std::uint64_t name) const;

 private:
  const transport::shm::Mapping* mapping_;
  transport::shm::Heap heap_;
  std::map<std::uint64_t, std::size_t> sizes_;  // by name
};

}  // namespace tutti::services

// SPDX-License-Identifier: BSD-3-Clause
// Windows: memory that one process allocates and all processes on its machine reach directly, each
// at an address of its own. The functions of api/ use it.
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
  // Frees the windows that this process has not freed.
  ~Windows();
  Windows(const Windows&) = delete;
  Windows& operator=(const Windows&) = delete;

  // Returns memory aligned to a cache line, with arbitrary contents. Throws Error when the limit of
  // the job is reached.
  [[nodiscard]] void* allocate(std::int64_t bytes);
  // Frees a window. Throws Error unless allocate() gave the address.
  void free(void* address);
  [[nodiscard]] bool empty() const { return sizes_.empty(); }

  // Returns the name of an address, equal in all processes. Returns 0 when the address is not in
  // shared memory.
  [[nodiscard]] std::uint64_t name_of(const void* address) const;
  // Returns the address of a name in this process.
  [[nodiscard]] void* address_of(std::uint64_t name) const;

 private:
  const transport::shm::Mapping* mapping_;
  transport::shm::Heap heap_;
  std::map<std::uint64_t, std::size_t> sizes_;  // sizes by name
};

}  // namespace tutti::services

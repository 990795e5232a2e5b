// SPDX-License-Identifier: BSD-3-Clause
// The part of tutti.hpp about memory for the data of calls.
#ifndef TUTTI_TUTTI_MEMORY_HPP
#define TUTTI_TUTTI_MEMORY_HPP

#include <tutti/tutti.h>
#include <tutti/tutti_error.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace tutti {

// Lets containers lie in memory of tutti_alloc, which all processes of the machine reach. Needs a
// Session. If an operation still uses the memory when its container frees it, the memory stays
// until the process ends.
template <class T>
class Allocator {
 public:
  using value_type = T;
  static_assert(alignof(T) <= 64, "memory of tutti_alloc is aligned to 64 bytes");

  Allocator() = default;
  template <class Other>
  Allocator(const Allocator<Other>&) noexcept {}

  [[nodiscard]] T* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(PTRDIFF_MAX) / sizeof(T))
      throw std::bad_array_new_length();
    void* memory = nullptr;
    detail::attempt(tutti_alloc, static_cast<std::int64_t>(count * sizeof(T)), &memory);
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) noexcept { detail::quietly(tutti_free, memory); }
  friend bool operator==(const Allocator&, const Allocator&) noexcept { return true; }
};

// A vector in such memory, as in: tutti::Vector<double> values(1000000);
template <class T>
using Vector = std::vector<T, Allocator<T>>;

}  // namespace tutti

#endif

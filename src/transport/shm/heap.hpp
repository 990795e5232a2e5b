// SPDX-License-Identifier: BSD-3-Clause
// The heap of the segment, which all processes of the job share: blocks in classes of powers of
// two, on lock-free stacks. Memory is reserved against the job's limit before it is handed out, so
// a full machine is an error here and never a SIGBUS later. A process that is killed loses
// at most the block that it was just taking or giving back; send buffers are recorded.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "transport/shm/mapping.hpp"
#include "transport/shortage.hpp"

namespace tutti::transport::shm {

class Heap {
 public:
  explicit Heap(const Mapping& mapping) : mapping_(&mapping) {}

  // Returns the offset of a block of at least `bytes`, aligned to a cache line, or to a page from
  // one page up. Returns nullopt when the job's limit is reached. Contents are arbitrary.
  [[nodiscard]] std::optional<std::uint64_t> allocate(std::size_t bytes);
  // Frees a block; `bytes` is the number given to allocate(). Large blocks give their pages back to
  // the machine.
  void free(std::uint64_t offset, std::size_t bytes);

  // Says what keeps a block of `bytes` from being handed out, and what helps.
  [[nodiscard]] Shortage shortage(std::size_t bytes) const;

  // First class of large blocks, of more than 128 KiB; class k holds blocks of line_bytes << k
  // bytes. Large blocks are populated when they are handed out and return their pages when they are
  // freed.
  static constexpr int large_class = std::countr_zero(std::size_t{256 * 1024} / line_bytes);

 private:
  [[nodiscard]] std::uint64_t pop(int size_class);
  void push(int size_class, std::uint64_t offset);
  [[nodiscard]] std::optional<std::uint64_t> extend(std::size_t block);
  [[nodiscard]] std::uint64_t end() const;
  [[nodiscard]] bool reserve(std::size_t bytes);
  void unreserve(std::size_t bytes);

  const Mapping* mapping_;
};

}  // namespace tutti::transport::shm

// SPDX-License-Identifier: BSD-3-Clause
// Memory of the segment, for any process: blocks of power-of-two classes on shared lock-free
// stacks. Memory is reserved against the job's limit before it is handed out, so a full machine is
// an error here and never a SIGBUS later. A process that is killed loses what nobody else knows of:
// the block it was handling, and buffers that were read but not found to be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "transport/shm/mapping.hpp"

namespace tutti::transport::shm {

class Heap {
 public:
  explicit Heap(const Mapping& mapping) : mapping_(&mapping) {}

  // Offset of a block of at least `bytes`, aligned to a cache line (to a page from one page up);
  // nullopt when the limit of the job is reached. Contents are arbitrary.
  [[nodiscard]] std::optional<std::uint64_t> allocate(std::size_t bytes);
  // `bytes` as it was asked for. Large blocks give their pages back to the machine.
  void free(std::uint64_t offset, std::size_t bytes);

  // Class k holds blocks of 64 << k bytes. From this class on (more than 128 KiB) blocks are
  // populated when they are handed out and return their pages when they are freed.
  static constexpr int large_class = 12;

 private:
  [[nodiscard]] std::uint64_t pop(int size_class);
  void push(int size_class, std::uint64_t offset);
  [[nodiscard]] bool reserve(std::size_t bytes);
  void unreserve(std::size_t bytes);

  const Mapping* mapping_;
};

}  // namespace tutti::transport::shm

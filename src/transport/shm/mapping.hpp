// SPDX-License-Identifier: BSD-3-Clause
// Creating, mapping and unmapping a segment. A Mapping together with an endpoint id is all a
// transport needs: no globals, so tests run several endpoints as threads over one mapping.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "transport/shm/segment.hpp"

namespace tutti::transport::shm {

struct SegmentOptions {
  std::uint32_t world_size = 1;
  std::uint32_t ranks_here = 0;  // 0: all of them
  bool unsupervised = false;
  std::optional<DeathPolicy> policy = std::nullopt;  // default: what TUTTI_DEATHS says
  std::optional<std::int64_t> limit_bytes =
      std::nullopt;  // default: half of what the machine or container has
};

class Mapping {
 public:
  // A new sparse memfd (64 GiB of address space, halved until it maps), header initialised, world
  // slots `expected`.
  [[nodiscard]] static Mapping create(const SegmentOptions& options);
  // Maps an existing one; the descriptor stays the caller's. Throws Error when it is no segment of
  // this version.
  [[nodiscard]] static Mapping open(int descriptor);

  Mapping(Mapping&& other) noexcept;
  Mapping& operator=(Mapping&& other) noexcept;
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping();

  [[nodiscard]] SegmentHeader& header() const { return *reinterpret_cast<SegmentHeader*>(base_); }
  [[nodiscard]] Endpoint& endpoint(int slot) const { return header().endpoints[slot]; }
  template <class T>
  [[nodiscard]] T* at(std::uint64_t offset) const {
    return reinterpret_cast<T*>(base_ + offset);
  }
  [[nodiscard]] std::uint64_t offset_of(const void* address) const {
    return static_cast<std::uint64_t>(static_cast<const std::byte*>(address) - base_);
  }
  [[nodiscard]] int descriptor() const { return descriptor_; }  // owned after create, -1 after open

 private:
  Mapping(std::byte* base, std::size_t bytes, int descriptor)
      : base_(base), bytes_(bytes), descriptor_(descriptor) {}
  void release() noexcept;

  std::byte* base_ = nullptr;
  std::size_t bytes_ = 0;
  int descriptor_ = -1;
};

// Processors this process may use: min(affinity, cgroup v2 cpu.max or v1 cfs quota), at least 1.
[[nodiscard]] std::uint32_t usable_cpus();
// Returns the limit of the control groups alone.
[[nodiscard]] std::uint32_t cpu_quota();
// Twice a cache of the second level, 2 to 4 MiB (decision 0037).
[[nodiscard]] std::uint32_t suitable_arena_bytes();
// The processors this process may use are the job's, too.
void add_processors(SegmentHeader& header);
// Half of the smallest of v2 memory.max, v1 memory.limit_in_bytes and MemAvailable.
[[nodiscard]] std::int64_t default_memory_limit();

}  // namespace tutti::transport::shm

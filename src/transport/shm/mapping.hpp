// SPDX-License-Identifier: BSD-3-Clause
// Creates, maps and unmaps the shared segment of a job. A transport needs only a Mapping and an
// endpoint id, no globals, so tests run several endpoints as threads over one mapping.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "transport/shm/segment.hpp"

namespace tutti::transport::shm {

struct SegmentOptions {
  std::uint32_t world_size = 1;
  std::uint32_t ranks_here = 0;  // 0: all ranks
  bool unsupervised = false;
  std::optional<DeathPolicy> policy = std::nullopt;  // default: what TUTTI_DEATHS says
  // By default half of what the machine or the container has.
  std::optional<std::int64_t> limit_bytes = std::nullopt;
  // By default what the machine file and TUTTI_TUNING say.
  std::optional<base::Tuning> tuning = std::nullopt;
};

class Mapping {
 public:
  // Creates a sparse memfd and maps it: 64 GiB of address space, halved until the mapping succeeds.
  // The header is initialised and the slots of the world are `expected`.
  [[nodiscard]] static Mapping create(const SegmentOptions& options);
  // Maps an existing segment; the caller keeps its descriptor. Throws Error when it is not a
  // segment of this version.
  [[nodiscard]] static Mapping open(int descriptor);

  Mapping(Mapping&& other) noexcept;
  Mapping& operator=(Mapping&& other) noexcept;  // `other` gets what this had
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
  // Returns true if the address lies in the segment. The offset of one below the segment wraps
  // around to a huge number.
  [[nodiscard]] bool has(const void* address) const {
    return offset_of(address) < header().segment_bytes;
  }
  // The values for this process: those of the job, and its own ones.
  [[nodiscard]] const base::Tuning& tuning() const { return tuning_; }
  // The memory stays mapped until the process ends.
  void stay() { stays_ = true; }
  [[nodiscard]] int descriptor() const { return descriptor_; }  // owned after create, -1 after open

 private:
  Mapping(std::byte* base, std::size_t bytes, int descriptor)
      : base_(base), bytes_(bytes), descriptor_(descriptor) {}

  std::byte* base_ = nullptr;
  std::size_t bytes_ = 0;
  int descriptor_ = -1;
  bool stays_ = false;
  base::Tuning tuning_;
};

// Bytes of the header that will be touched at first, which count against the limit.
[[nodiscard]] std::int64_t header_bytes(std::uint32_t world_size);
// Adds the processors that this process may use to those of the job.
void add_processors(SegmentHeader& header);

}  // namespace tutti::transport::shm

// SPDX-License-Identifier: BSD-3-Clause
// Channels by endpoint, chunks from the arena.
#include "transport/shm/transport.hpp"

#include "base/error.hpp"

namespace tutti::transport::shm {

ShmTransport::ShmTransport(const Mapping& mapping, int self)
    : mapping_(&mapping), self_(self), arena_(mapping, self), sleeper_(mapping, self), channels_(capacity) {}

Channel& ShmTransport::channel(int endpoint) {
  if (endpoint < 0 || endpoint >= capacity) {
    base::fail(base::Status::invalid_argument, "there is no endpoint {}: a job has at most {}", endpoint, capacity);
  }
  auto& slot = channels_[static_cast<std::size_t>(endpoint)];
  if (!slot) slot = std::make_unique<ShmChannel>(*mapping_, self_, endpoint);
  return *slot;
}

Chunk ShmTransport::acquire(std::uint32_t bytes, std::uint32_t readers) {
  ChunkHeader* header = arena_.acquire(bytes, readers);
  if (header == nullptr) return {};
  return {reinterpret_cast<std::byte*>(header + 1), mapping_->offset_of(header)};
}

}  // namespace tutti::transport::shm

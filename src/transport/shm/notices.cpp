// SPDX-License-Identifier: BSD-3-Clause
// Posting and reading of notices.
#include "transport/shm/notices.hpp"

#include <cstring>

#include "base/error.hpp"
#include "transport/shm/heap.hpp"
#include "transport/shm/sleeper.hpp"

namespace tutti::transport::shm {
namespace {

enum : std::uint32_t { nothing, being_written, ready };

Notice& notice(const Mapping& mapping, NoticeKind kind) {
  return mapping.header().board[static_cast<std::size_t>(kind)];
}

// Whoever waits for it may be asleep.
void wake_all(const Mapping& mapping) {
  const auto slots = static_cast<int>(mapping.header().slots.load());
  for (int slot = 0; slot < slots; ++slot) wake_if_asleep(mapping.endpoint(slot));
}

}  // namespace

bool post_notice(const Mapping& mapping, NoticeKind kind, int writer, std::string_view text) {
  Notice& place = notice(mapping, kind);
  if (place.state.load() != nothing) return false;
  Heap heap(mapping);
  const std::size_t block = text.size() + 1;  // a block is never empty
  const auto offset = heap.allocate(block);
  if (!offset) base::fail(base::Status::out_of_memory, "no shared memory to start with: raise TUTTI_SHM_LIMIT");
  std::uint32_t state = nothing;
  if (!place.state.compare_exchange_strong(state, being_written)) {
    heap.free(*offset, block);
    return false;
  }
  std::memcpy(mapping.at<char>(*offset), text.data(), text.size());
  place.writer = writer;
  place.bytes = text.size();
  place.offset = *offset;
  place.state.store(ready);
  wake_all(mapping);
  return true;
}

std::optional<Posted> read_notice(const Mapping& mapping, NoticeKind kind) {
  const Notice& place = notice(mapping, kind);
  if (place.state.load() != ready) return std::nullopt;
  return Posted{place.writer, {mapping.at<char>(place.offset), static_cast<std::size_t>(place.bytes)}};
}

}  // namespace tutti::transport::shm

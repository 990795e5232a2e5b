// SPDX-License-Identifier: BSD-3-Clause
// Posts and reads notices.
#include "transport/shm/notices.hpp"

#include <cstring>
#include <new>

#include "base/error.hpp"
#include "transport/shm/heap.hpp"
#include "transport/shm/wake.hpp"

namespace tutti::transport::shm {
namespace {

Shared<std::uint64_t>& place_of(const Mapping& mapping, NoticeKind kind) {
  return mapping.header().board[static_cast<std::size_t>(kind)];
}

// Wakes every process, because any of them may sleep until the notice comes.
void wake_all(const Mapping& mapping) {
  const auto slots = static_cast<int>(mapping.header().slots.see());
  for (int slot = 0; slot < slots; ++slot) wake_if_asleep(mapping.header(), mapping.endpoint(slot));
}

}  // namespace

bool post_notice(const Mapping& mapping, NoticeKind kind, int writer, std::string_view text) {
  Shared<std::uint64_t>& place = place_of(mapping, kind);
  if (place.see() != 0) return false;
  Heap heap(mapping);
  const std::size_t block = sizeof(Notice) + text.size();
  const auto offset = heap.allocate(block);
  if (!offset)
    base::fail(base::Status::out_of_memory,
               "no shared memory to start with: raise TUTTI_SHM_LIMIT");
  auto* const notice = new (mapping.at<void>(*offset)) Notice{writer, text.size()};
  std::memcpy(notice + 1, text.data(), text.size());
  std::uint64_t nothing = 0;
  if (!place.replace(nothing, *offset)) {
    heap.free(*offset, block);
    return false;
  }
  wake_all(mapping);
  return true;
}

std::optional<Posted> read_notice(const Mapping& mapping, NoticeKind kind) {
  const std::uint64_t offset = place_of(mapping, kind).see();
  if (offset == 0) return std::nullopt;
  const auto* const notice = mapping.at<Notice>(offset);
  return Posted{
      notice->writer,
      {reinterpret_cast<const char*>(notice + 1), static_cast<std::size_t>(notice->bytes)}};
}

}  // namespace tutti::transport::shm

// SPDX-License-Identifier: BSD-3-Clause
// Publishes records and finds them. Places of the directory are taken in order and never given
// back, so the first free one ends a search.
#include "transport/shm/records.hpp"

#include <cstring>
#include <new>

#include "base/error.hpp"
#include "transport/shm/heap.hpp"
#include "transport/shm/wake.hpp"

namespace tutti::transport::shm {
namespace {

// Returns false if another process has published a record at this place meanwhile.
bool fill(const Mapping& mapping, Shared<std::uint64_t>& place, const Record& header,
          std::string_view text) {
  Heap heap(mapping);
  const auto bytes = static_cast<std::size_t>(header.bytes);
  const auto offset = heap.allocate(sizeof(Record) + bytes);
  if (!offset) {
    base::fail(base::Status::out_of_memory,
               "no shared memory for record '{}': raise TUTTI_SHM_LIMIT", header.name);
  }
  auto* const behind = reinterpret_cast<char*>(new (mapping.at<void>(*offset)) Record(header) + 1);
  std::memset(behind, 0, bytes);
  text.copy(behind, bytes);
  std::uint64_t nothing = 0;
  if (place.replace(nothing, *offset)) return true;
  heap.free(*offset, sizeof(Record) + bytes);
  return false;
}

}  // namespace

Published publish(const Mapping& mapping, std::string_view name, int maker, std::string_view text,
                  std::int64_t zeroes) {
  Record header{{}, static_cast<std::int64_t>(text.size()) + zeroes, maker};
  name.copy(header.name, Record::name_bytes - 1);
  for (Shared<std::uint64_t>& place : mapping.header().directory) {
    const bool is_new = place.see() == 0 && fill(mapping, place, header, text);
    auto* const record = mapping.at<Record>(place.see());
    if (name != record->name) continue;
    const auto slots = static_cast<int>(is_new ? mapping.header().slots.see() : 0);
    for (int slot = 0; slot < slots; ++slot)
      wake_if_asleep(mapping.header(), mapping.endpoint(slot));
    return {record, is_new};
  }
  base::fail(base::Status::out_of_memory,
             "the directory has no room for record '{}': a job has at most {}", name, records);
}

const Record* find_record(const Mapping& mapping, std::string_view name) {
  for (const Shared<std::uint64_t>& place : mapping.header().directory) {
    if (place.see() == 0) break;
    const auto* const record = mapping.at<Record>(place.see());
    if (name == record->name) return record;
  }
  return nullptr;
}

}  // namespace tutti::transport::shm

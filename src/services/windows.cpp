// SPDX-License-Identifier: BSD-3-Clause
// Windows are blocks of the segment's heap, or parts of a ring in turn. Their names are offsets in
// the segment.
#include "services/windows.hpp"

#include <algorithm>
#include <chrono>

#include "base/copy.hpp"
#include "base/error.hpp"
#include "data/pack.hpp"

namespace tutti::services {
namespace {

void check(std::int64_t bytes) {
  if (bytes < 0)
    base::fail(base::Status::invalid_argument, "argument 'bytes' is {}, which is negative", bytes);
}

std::size_t size_for(std::int64_t bytes) {
  return static_cast<std::size_t>(bytes) + (bytes == 0 ? 1 : 0);
}

}  // namespace

using transport::shm::LentHeader;
using transport::shm::LentMemory;

Windows::Windows(const transport::shm::Mapping& mapping, int self)
    : mapping_(&mapping),
      heap_(mapping),
      turns_(LentMemory::of_windows(mapping, self, transport::steady_clock())),
      stores_(mapping.tuning()) {}

Windows::~Windows() {
  turns_.reclaim(transport::Depth::idle);
  for (const auto& [name, bytes] : sizes_) heap_.free(name, bytes);
}

bool Windows::keep() {
  const bool any = !sizes_.empty();
  sizes_.clear();
  return any;
}

void* Windows::allocate(std::int64_t bytes) {
  check(bytes);
  const std::size_t size = size_for(bytes);
  if (void* const memory = take(size)) return memory;
  base::fail(base::Status::out_of_memory, "no shared memory for {} bytes: {}", bytes,
             heap_.shortage(size).remedy);
}

void* Windows::allocate_if_room(std::int64_t bytes) {
  check(bytes);
  const transport::shm::SegmentHeader& header = mapping_->header();
  const std::int64_t room = header.limit_bytes / 2 - header.reserved_bytes.peek();
  const bool fits = bytes <= room / std::max<std::int64_t>(header.attached.peek(), 1);
  return fits ? take(size_for(bytes)) : nullptr;
}

// Returns nullptr if there is no memory.
void* Windows::take(std::size_t size) {
  const auto offset = heap_.allocate(size);
  if (!offset) return nullptr;
  sizes_.emplace(*offset, size);
  return mapping_->at<void>(*offset);
}

void* Windows::in_turn(std::int64_t bytes) {
  check(bytes);
  return turns_.acquire(static_cast<std::uint64_t>(bytes), 1, unknown_).data;
}

void Windows::write(void* to, const void* from, std::int64_t wanted) {
  check(wanted);
  if (wanted == 0) return;
  if (from == nullptr) base::fail(base::Status::invalid_argument, "argument 'from' is NULL");
  const std::uint64_t name = name_of(to);
  if (name == 0 || static_cast<std::uint64_t>(wanted) > mapping_->header().segment_bytes - name) {
    base::fail(base::Status::invalid_argument, "argument 'to' does not lie in shared memory");
  }
  const auto bytes = static_cast<std::size_t>(wanted);
  const transport::StorePolicy::Choice chosen = stores_.for_window(bytes);
  if (chosen.timed) {
    const auto begun = std::chrono::steady_clock::now();
    base::copy_bytes(to, from, bytes);
    stores_.learn_window(bytes, std::chrono::steady_clock::now() - begun);
  } else if (chosen.non_temporal) {
    data::copy(to, from, bytes, data::Store::non_temporal);
    data::store_fence();
  } else {
    base::copy_bytes(to, from, bytes);
  }
}

std::span<const std::byte> Windows::at(const void* address) const {
  const auto found = sizes_.find(name_of(address));
  if (found == sizes_.end()) return {};
  return {mapping_->at<std::byte>(found->first), found->second};
}

void Windows::free(void* address) {
  if (turns_.take_back(name_of(address) - sizeof(LentHeader))) return;
  const auto found = sizes_.find(name_of(address));
  if (found == sizes_.end()) {
    base::fail(base::Status::invalid_argument,
               "argument 'address' is not that of memory that this process has allocated in the "
               "job's segment and not freed");
  }
  heap_.free(found->first, found->second);
  sizes_.erase(found);
}

std::uint64_t Windows::name_of(const void* address) const {
  return mapping_->has(address) ? mapping_->offset_of(address) : 0;
}

void* Windows::address_of(std::uint64_t name) const {
  return name == 0 || name >= mapping_->header().segment_bytes ? nullptr : mapping_->at<void>(name);
}

}  // namespace tutti::services

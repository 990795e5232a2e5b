// SPDX-License-Identifier: BSD-3-Clause
// Windows are blocks of the segment's heap, and their names are offsets in the segment.
#include "services/windows.hpp"

#include "base/error.hpp"

namespace tutti::services {

Windows::~Windows() {
  for (const auto& [name, bytes] : sizes_) heap_.free(name, bytes);
}

void* Windows::allocate(std::int64_t bytes) {
  if (bytes < 0)
    base::fail(base::Status::invalid_argument, "argument 'bytes' is {}, which is negative", bytes);
  const auto size = static_cast<std::size_t>(bytes) + (bytes == 0 ? 1 : 0);
  const auto offset = heap_.allocate(size);
  if (!offset) {
    base::fail(base::Status::out_of_memory, "no shared memory for a window of {} bytes: {}", bytes,
               heap_.shortage(size).remedy);
  }
  sizes_.emplace(*offset, size);
  return mapping_->at<void>(*offset);
}

void Windows::free(void* address) {
  const auto found = sizes_.find(name_of(address));
  if (found == sizes_.end()) {
    base::fail(base::Status::invalid_argument,
               "argument 'address' is not that of a window of this process");
  }
  heap_.free(found->first, found->second);
  sizes_.erase(found);
}

std::uint64_t Windows::name_of(const void* address) const {
  // The offset of an address below the segment wraps around to a huge number.
  const std::uint64_t offset = mapping_->offset_of(address);
  return offset < mapping_->header().segment_bytes ? offset : 0;
}

void* Windows::address_of(std::uint64_t name) const {
  return name == 0 || name >= mapping_->header().segment_bytes ? nullptr : mapping_->at<void>(name);
}

}  // namespace tutti::services

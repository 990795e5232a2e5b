// SPDX-License-Identifier: BSD-3-Clause
// Packs parts and unpacks them (parts.hpp).
#include "parts.hpp"

#include <tutti-icc/icc.h>

#include <cstring>

#include "errors.hpp"

namespace tutti::icc {
namespace {

std::int64_t in_bytes(long elements, long element_bytes, long code) {
  std::int64_t bytes = 0;
  require(elements >= 0 && !__builtin_mul_overflow(elements, element_bytes, &bytes), code);
  return bytes;
}

}  // namespace

Parts::Parts(int ranks, const PartLists& lists, void* buffer)
    : buffer_(static_cast<char*>(buffer)) {
  require(lists.counts != nullptr, iCC_g_ERROR_NULL);
  bool is_packed = true;
  for (int rank = 0; rank < ranks; ++rank) {
    counts_.push_back(
        in_bytes(lists.counts[rank], lists.element_bytes, iCC_g_ERROR_UNEQUAL_COUNTS));
    if (lists.displs != nullptr) {
      starts_.push_back(in_bytes(lists.displs[rank], lists.element_bytes, iCC_g_ERROR_BLOCK_SIZE));
      is_packed = is_packed && (starts_.back() == bytes_ || counts_.back() == 0);
    }
    require(!__builtin_add_overflow(bytes_, counts_.back(), &bytes_), iCC_g_ERROR_UNEQUAL_COUNTS);
  }
  if (!is_packed) copy_.resize(static_cast<std::size_t>(bytes_));
}

void Parts::require_buffer() const {
  require(buffer_ != nullptr || bytes_ == 0, iCC_g_ERROR_NULL);
}

template <class Copy>
void Parts::for_each_part(Copy copy) {
  if (copy_.empty()) return;
  char* packed = copy_.data();
  for (std::size_t rank = 0; rank < counts_.size(); ++rank) {
    const auto bytes = static_cast<std::size_t>(counts_[rank]);
    copy(packed, buffer_ + starts_[rank], bytes);
    packed += bytes;
  }
}

void Parts::pack() {
  for_each_part([](char* packed, const char* apart, std::size_t bytes) {
    std::memcpy(packed, apart, bytes);
  });
}

void Parts::unpack() {
  for_each_part([](const char* packed, char* apart, std::size_t bytes) {
    std::memcpy(apart, packed, bytes);
  });
}

}  // namespace tutti::icc

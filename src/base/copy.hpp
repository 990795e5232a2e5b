// SPDX-License-Identifier: BSD-3-Clause
// Copies that are mostly of one number.
#pragma once

#include <cstddef>
#include <cstring>

namespace tutti::base {

// memcpy, but its call is spared where it would cost more than the copy. Of no bytes, the addresses may be anything.
inline void copy_bytes(void* to, const void* from, std::size_t bytes) {
  if (bytes == 8) {
    std::memcpy(to, from, 8);
  } else if (bytes != 0) {
    std::memcpy(to, from, bytes);
  }
}

}  // namespace tutti::base

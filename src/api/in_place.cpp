// SPDX-License-Identifier: BSD-3-Clause
// Copies the operands to where a function may change them.
#include "api/in_place.hpp"

#include <cstring>

namespace tutti::api {

void* InPlace::room_for(std::size_t bytes, Memory& memory) {
  const std::size_t units = bytes / sizeof(std::max_align_t) + 1;
  if (memory.size() < units) memory.resize(units);
  return memory.data();
}

// The right operand is copied first, because the result may be written over it.
void InPlace::combine(void* result, const void* left, const void* right, std::int64_t count,
                      void* in_place) {
  auto& self = *static_cast<InPlace*>(in_place);
  const std::size_t bytes = static_cast<std::size_t>(count) * self.element_bytes_;
  void* const y = room_for(bytes, self.y_);
  std::memcpy(y, right, bytes);
  const bool aligned = reinterpret_cast<std::uintptr_t>(result) % alignof(std::max_align_t) == 0;
  void* const x = aligned ? result : room_for(bytes, self.x_);
  if (x != left) std::memcpy(x, left, bytes);
  self.function_(x, y, count, self.user_);
  if (x != result) std::memcpy(result, x, bytes);
}

}  // namespace tutti::api

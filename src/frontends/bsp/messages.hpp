// SPDX-License-Identifier: BSD-3-Clause
// Bulk synchronous message passing.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tutti::bsp {

// The size set before.
std::uint64_t set_tag_size(std::uint64_t size);
void send(const char* routine, int pid, const void* tag, const void* payload, std::size_t size);

struct QueueSize {
  std::uint64_t messages, bytes;
};
[[nodiscard]] QueueSize queue_size();
// Payload bytes of the first message, -1 when there is none.
[[nodiscard]] std::int64_t get_tag(void* tag);
void move(void* payload, std::size_t size);
[[nodiscard]] std::int64_t move_in_place(void** tag, void** payload);

}  // namespace tutti::bsp

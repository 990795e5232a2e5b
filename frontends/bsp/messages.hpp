// SPDX-License-Identifier: BSD-3-Clause
// BSPlib's messages: bulk synchronous message passing (bsp_send, bsp_move and others).
#pragma once

#include <cstddef>
#include <cstdint>

namespace tutti::bsp {

// Returns the size that was set before.
std::uint64_t set_tag_size(std::uint64_t size);
void send(const char* routine, int pid, const void* tag, const void* payload, std::size_t size);

struct QueueSize {
  std::uint64_t messages, bytes;
};
[[nodiscard]] QueueSize queue_size();
// Returns the payload bytes of the first message, or -1 if there is none.
[[nodiscard]] std::int64_t get_tag(void* tag);
void move(void* payload, std::size_t size);
[[nodiscard]] std::int64_t move_in_place(void** tag, void** payload);

}  // namespace tutti::bsp

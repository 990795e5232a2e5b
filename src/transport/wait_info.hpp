// SPDX-License-Identifier: BSD-3-Clause
// Says for what an endpoint waits. The Idler decides by it for how long to look on, and shows it to
// others, and reports of a hang tell it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "transport/trace/part.hpp"

namespace tutti::transport {

// WaitInfo::operation of a send that waits until its receiver has taken earlier messages.
constexpr std::uint32_t wait_for_room = ~std::uint32_t{0};
// WaitInfo::operation of a receive that takes a message from anybody.
constexpr std::uint32_t wait_from_anybody = wait_for_room - 1;

struct WaitInfo {
  enum class For : std::uint8_t { all, any };
  enum class Until : std::uint8_t { it_comes, given_up };  // given_up: it may also end by itself
  For kind = For::all;
  // schedule::Operation + 1; 0 = a mailbox receive; or one of the two above
  std::uint32_t operation = 0;
  std::uint32_t group_size = 0;
  std::uint64_t sequence = 0;
  std::int32_t round = 0;
  std::span<const int> endpoints{};
  Until until = Until::it_comes;
  // Says in words what is awaited. They are asked for only when the wait is shown to others.
  struct Words {
    // Writes a text with a final 0 of at most `size` bytes; nullptr: there are no words.
    void (*write)(const void* about, char* text, std::size_t size) = nullptr;
    const void* about = nullptr;
  };
  Words words{};
  // True if more than is shown here may end the wait, such as a message from anybody. Then nobody's
  // departure makes it vain.
  bool or_more = false;
  // True if the process waits until its mail has been taken. Then whoever takes some wakes it.
  bool drains = false;
  // False if nothing wakes this process when the wait can end. Then it yields and never sleeps.
  bool is_woken = true;
  // The text of the error if the job's predicate ends the wait; nullptr: a text that fits any wait.
  struct Refusal {
    std::string (*text)(const void* about) = nullptr;
    const void* about = nullptr;
  };
  Refusal refusal{};
  // The operation, for a trace; only whoever waits in one fills it, and only if there is a trace.
  std::optional<trace::TracedOperation> traced{};
};

}  // namespace tutti::transport

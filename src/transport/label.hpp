// SPDX-License-Identifier: BSD-3-Clause
// Names the lanes, and the operation of a packet or the kind of a mailbox message.
#pragma once

#include <cstdint>

namespace tutti::transport {

// The two ways between two endpoints. They share no space.
enum class Lane : std::uint32_t { collective, mailbox };

// Receivers compare labels; the transport does not interpret them.
struct Label {
  constexpr Label(std::uint64_t number = 0, std::uint32_t more = 0) : tag(number), detail(more) {}
  std::uint64_t tag;
  std::uint32_t detail;
  friend constexpr bool operator==(const Label&, const Label&) = default;
};

}  // namespace tutti::transport

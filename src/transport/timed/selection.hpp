// SPDX-License-Identifier: BSD-3-Clause
// The messages that a receive selects, as the timekeeper is told. In virtual time it decides which
// message a receive gets, because that depends on when messages come.
#pragma once

#include <cstdint>

#include "transport/label.hpp"
#include "transport/number_set.hpp"

namespace tutti::timed {

struct Selection {
  static constexpr std::int32_t anybody = -1;
  static constexpr std::uint32_t all_details = ~std::uint32_t{0};
  static constexpr std::uint64_t all_tags = ~std::uint64_t{0};

  std::uint64_t tag = 0, tags = 0;        // bits of the tag that must be those of `tag`
  std::uint32_t detail = 0, details = 0;  // the same of Label::detail
  std::int32_t from = anybody;            // a rank
  std::uint32_t set = 0;                  // of numbers in the tag (transport::is_in); 0: no set

  [[nodiscard]] bool fits(int sender, transport::Label key) const {
    return (from == anybody || from == sender) && (key.tag & tags) == tag &&
           (key.detail & details) == detail && (set == 0 || transport::is_in(set, key.tag));
  }
  // One sender and one key: the order in which that sender sends decides alone.
  [[nodiscard]] bool is_named() const {
    return from != anybody && tags == all_tags && details == all_details && set == 0;
  }
  friend bool operator==(const Selection&, const Selection&) = default;
};
static_assert(sizeof(Selection) == 32);

// A message as the timekeeper names it: its sender, and which of those to this rank it is, from 0.
struct MessageName {
  int from = 0;
  std::uint32_t number = 0;
  bool lost = false;  // it came before its receive was posted, and must be discarded
};

// Answers of the timekeeper that name a message.
struct MessageAnswer {
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  static constexpr unsigned from_shift = 32;
  static constexpr std::uint64_t lost_bit = std::uint64_t{1} << 62;

  [[nodiscard]] static std::uint64_t of(const MessageName& name) {
    return static_cast<std::uint64_t>(name.from) << from_shift | name.number |
           (name.lost ? lost_bit : 0);
  }
  [[nodiscard]] static MessageName name_in(std::uint64_t answer) {
    return {static_cast<int>((answer & ~lost_bit) >> from_shift),
            static_cast<std::uint32_t>(answer), (answer & lost_bit) != 0};
  }
};

}  // namespace tutti::timed

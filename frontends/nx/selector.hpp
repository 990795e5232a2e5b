// SPDX-License-Identifier: BSD-3-Clause
// Types of messages, and which types a receive or a probe selects.
#pragma once

#include <tutti/tutti_runtime.h>

#include <cstdint>
#include <limits>
#include <string>

namespace tutti::nx {

// The key of a message in the mailbox: a number that no other interface uses, the type of the
// sending process, and the type of the message.
constexpr std::uint64_t key_space = std::uint64_t{0xce58} << 48;
constexpr std::uint64_t space_bits = std::uint64_t{0xffff} << 48;
constexpr std::uint64_t ptype_bits = std::uint64_t{0xffff} << 32;
constexpr std::uint64_t type_bits = 0xffff'ffffU;

[[nodiscard]] constexpr std::uint64_t key_of(long type, long ptype) {
  return key_space | (static_cast<std::uint64_t>(ptype) & 0xffffU) << 32 |
         (static_cast<std::uint64_t>(type) & type_bits);
}
[[nodiscard]] constexpr long type_of(std::uint64_t key) {
  return static_cast<long>(key & type_bits);
}
[[nodiscard]] constexpr long ptype_of(std::uint64_t key) {
  return static_cast<long>((key & ptype_bits) >> 32);
}

// A program without nx.h passes an int in a register for a long, so that -1 arrives as 4294967295.
// Numbers of 32 bits whose highest bit is 1 are therefore taken to be negative.
[[nodiscard]] constexpr long as_int(long number) {
  constexpr long most = std::numeric_limits<std::int32_t>::max();
  constexpr long all_bits = std::numeric_limits<std::uint32_t>::max();
  return number > most && number <= all_bits ? number - all_bits - 1 : number;
}

// Types with this bit are forced: a message is discarded if no receive is posted for it.
constexpr std::uint64_t forced_bit = std::uint64_t{1} << 30;
// Returns true if the match can select messages of forced types.
[[nodiscard]] bool may_be_forced(const tutti_match& match);

// Returns words such as "a message of type 8, ptype 3". The node is not among them.
[[nodiscard]] std::string words_of(const tutti_match& match);

// Throws CallFailure if no message may have this type.
void check_type(long type);

// Returns what matches the messages that the selectors select; -1 selects all. Throws CallFailure.
[[nodiscard]] tutti_match match_of(long typesel, long nodesel, long ptypesel);

}  // namespace tutti::nx

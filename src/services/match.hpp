// SPDX-License-Identifier: BSD-3-Clause
// Says which messages a receive takes. The mailbox and posted receives use it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "transport/mail.hpp"
#include "transport/number_set.hpp"

namespace tutti::services {

constexpr int any_source = -1;

constexpr transport::Label whole_key{~std::uint64_t{0}, ~std::uint32_t{0}};  // a mask

struct Match {
  int source = any_source;
  transport::Label wanted;
  transport::Label mask;
  bool (*accept)(void* user, const transport::Arrival& arrival) = nullptr;  // nullptr: accepts all
  void* user = nullptr;
  std::uint32_t set = 0;  // of numbers in the tag (transport::is_in); 0: no set
  // Length of a message that may be given while its sender still writes it; 0 for none. It needs
  // one source and one key.
  std::uint64_t unwritten_bytes = 0;
  // The place in which the sender may put the message before the receive returns; nullptr for none.
  // The message has `most` bytes, or less if `shorter`.
  std::byte* to = nullptr;
  std::uint64_t most = 0;
  bool shorter = false;
  bool takes = false;  // the program receives the message, and does not only look

  [[nodiscard]] bool fits(const transport::Arrival& arrival) const {
    return (source == any_source || arrival.source == source) &&
           (arrival.key.tag & mask.tag) == wanted.tag &&
           (arrival.key.detail & mask.detail) == wanted.detail &&
           (set == 0 || transport::is_in(set, arrival.key.tag)) &&
           (accept == nullptr || accept(user, arrival));
  }
};

// Says in words what a Match waits for, for reports (transport::WaitInfo::Words::write).
using DescribeMatch = void (*)(const void* match, char* text, std::size_t size);

// Messages with a key of this kind are discarded when they come, unless a receive was posted for
// them.
struct Unposted {
  transport::Label wanted;
  transport::Label mask;
  // Called for each message that is discarded; must not call the mailbox. nullptr: none are.
  void (*discarded)(void* user, const transport::Arrival& arrival) = nullptr;
  void* user = nullptr;

  // Returns true if a message may be of this kind and fit the match.
  [[nodiscard]] bool may_meet(const Match& match) const {
    return discarded != nullptr &&
           ((wanted.tag ^ match.wanted.tag) & mask.tag & match.mask.tag) == 0 &&
           ((wanted.detail ^ match.wanted.detail) & mask.detail & match.mask.detail) == 0;
  }
  [[nodiscard]] bool fits(const transport::Arrival& arrival) const {
    return discarded != nullptr && (arrival.key.tag & mask.tag) == wanted.tag &&
           (arrival.key.detail & mask.detail) == wanted.detail;
  }
};

}  // namespace tutti::services

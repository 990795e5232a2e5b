// SPDX-License-Identifier: BSD-3-Clause
// The room of bounded messages: how many bytes of them a process may have lying at a receiver. The
// outbox asks before it sends, and the mailbox gives back what the program has taken.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>

#include "transport/mail.hpp"

namespace tutti::services {

// Messages with a key of this kind wait for room: at most `bytes` bytes of them may lie at a
// receiver and not be taken by its program.
struct Bounded {
  transport::Label wanted;
  transport::Label mask;
  std::int64_t bytes = -1;  // less than 0: there is no bound

  // A message counts as its length and a cache line, so that empty ones are bounded, too.
  static constexpr std::uint64_t envelope_bytes = 64;
  [[nodiscard]] bool fits(transport::Label key) const {
    return bytes >= 0 && (key.tag & mask.tag) == wanted.tag &&
           (key.detail & mask.detail) == wanted.detail;
  }
};

class Room {
 public:
  explicit Room(transport::Mail& mail) : mail_(&mail) {}

  // From now on, a send of a message of this kind begins only when there is room at its receivers,
  // and is over only when there is room again. So one message may go beyond the bound. Receivers
  // must have set the bound before they take such a message.
  void bound(const Bounded& kind) { bounded_ = kind; }
  [[nodiscard]] bool bounds(transport::Label key) const { return bounded_.fits(key); }

  // Returns how many bytes lie at a receiver: 0 if nobody is there any more, and less than 0 for a
  // moment when the receiver was quicker than use().
  [[nodiscard]] std::int64_t used(int to) {
    const auto account = used_.find(to);
    if (account == used_.end()) return 0;
    if (const auto credited = mail_->credited(to))
      return static_cast<std::int64_t>(account->second - *credited);
    used_.erase(account);
    return 0;
  }
  [[nodiscard]] bool is_at(int to) { return used(to) <= bounded_.bytes; }
  [[nodiscard]] bool is_at_all(std::span<const int> to, transport::Label key) {
    return !bounds(key) || std::ranges::all_of(to, [this](int one) { return is_at(one); });
  }
  // Called when a receiver has been told of a message. It may take the message at once, whatever
  // becomes of the send to other receivers.
  void use(int to, transport::Label key, std::uint64_t bytes) {
    if (bounds(key)) [[unlikely]]
      used_[to] += bytes + Bounded::envelope_bytes;
  }
  // Called when the program has taken a message, or nobody will take it.
  void give_back(const transport::Arrival& arrival) {
    if (bounds(arrival.key)) [[unlikely]]
      mail_->credit(arrival.source, arrival.bytes + Bounded::envelope_bytes);
  }

 private:
  transport::Mail* mail_;
  Bounded bounded_;
  // Bytes of all bounded messages that a receiver was ever told of, as long as it is there.
  std::unordered_map<int, std::uint64_t> used_;
};

}  // namespace tutti::services

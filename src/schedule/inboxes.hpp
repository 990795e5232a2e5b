// SPDX-License-Identifier: BSD-3-Clause
// The messages of a round that wait at their receivers. The verifier uses this.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "schedule/counts.hpp"
#include "schedule/expression.hpp"

namespace tutti::schedule {

// The values of a list of blocks.
struct BlockValues {
  // Makes room for so many blocks.
  explicit BlockValues(std::int64_t blocks) {
    const auto number = static_cast<std::size_t>(blocks);
    values.reserve(number);
    parts.reserve(number);
    cells.reserve(number);
  }
  std::vector<Value> values;
  std::vector<int> parts;  // sizes
  std::vector<int> cells;  // where the values come from
};

struct SymbolicMessage {
  int from;
  BlockValues content;
  std::vector<bool> heard;  // the ranks that the sender of a barrier has heard of
  Time issued;
  bool taken = false;
};

class Inboxes {
 public:
  explicit Inboxes(int ranks) : messages_(static_cast<std::size_t>(ranks)) {}

  void clear(int rank) { of(rank).clear(); }
  void put(int rank, SymbolicMessage message) { of(rank).push_back(std::move(message)); }
  // Returns true if the last message at `rank` is from the other one. Ranks send in order, so it is
  // there if that one has sent any.
  [[nodiscard]] bool last_is_from(int other, int rank) const {
    return !of(rank).empty() && of(rank).back().from == other;
  }
  // Returns the next message of a sender, which is taken then, or null.
  [[nodiscard]] SymbolicMessage* take(int rank, int from) {
    const auto found = std::find_if(
        of(rank).begin(), of(rank).end(),
        [&](const SymbolicMessage& message) { return message.from == from && !message.taken; });
    if (found == of(rank).end()) return nullptr;
    found->taken = true;
    return &*found;
  }
  // Returns a message that nobody has taken, or null.
  [[nodiscard]] const SymbolicMessage* left(int rank) const {
    const auto found = std::find_if(of(rank).begin(), of(rank).end(),
                                    [](const SymbolicMessage& message) { return !message.taken; });
    return found == of(rank).end() ? nullptr : &*found;
  }

 private:
  std::vector<SymbolicMessage>& of(int rank) { return messages_[static_cast<std::size_t>(rank)]; }
  const std::vector<SymbolicMessage>& of(int rank) const {
    return messages_[static_cast<std::size_t>(rank)];
  }

  std::vector<std::vector<SymbolicMessage>> messages_;  // by receiver
};

}  // namespace tutti::schedule

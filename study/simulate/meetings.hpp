// SPDX-License-Identifier: BSD-3-Clause
// Messages and receives of all ranks that have not met yet. A rank mostly has one of each kind, so
// it has two places of its own; others are in a hash table. An empty place may be used for another
// key.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulate/bound.hpp"
#include "simulate/messages.hpp"

namespace tutti::simulate {

class Meetings {
 public:
  // The receiver, the sender, the round and the operation. For a message outside of operations, the
  // round is its number among those of its sender to this receiver. Rounds that are 2^24 apart get
  // the same key, which is safe because no rank gets that far ahead of one that it sends to.
  struct Key {
    std::uint64_t meeting;
    std::uint32_t context;
    friend bool operator==(const Key&, const Key&) = default;
    [[nodiscard]] int node() const { return static_cast<int>(meeting >> node_shift); }
    [[nodiscard]] int from() const { return static_cast<int>(meeting >> 24 & 0xfffff); }
    [[nodiscard]] int round() const { return static_cast<int>(meeting & rounds); }
  };
  [[nodiscard]] static Key key(int node, int from, int round, std::uint32_t context) {
    return {static_cast<std::uint64_t>(node) << node_shift |
                static_cast<std::uint64_t>(from) << 24 |
                (static_cast<std::uint64_t>(round) & rounds),
            context};
  }
  [[nodiscard]] static Key key(const SimulatedMessage& message) {
    const Name& name = message.name;
    return key(name.to, name.from, name.step - 1, message.context);
  }

  Meetings(MessageSlab& messages, std::size_t nodes)
      : messages_(messages), own_(nodes), table_(64) {}

  // Posts a receive. Returns a message that came early for it; if there is none, keeps the receive
  // and returns no_slot. If a pair has several messages in a round, the early ones are taken in the
  // order in which they were sent. The others meet the kept receives in the order of arrival.
  [[nodiscard]] Slot post(Key key, OnArrival then);
  // Tells if a receive was kept for a message that arrives, and of which kind, and removes that
  // receive.
  enum class Met { no, taken, combined };
  [[nodiscard]] Met come(Key key);
  // Keeps a message that arrived before its receive.
  void keep(Key key, Slot message);
  // Returns true if a receive is kept.
  [[nodiscard]] bool awaited(Key key);

  // Calls a function for each receive and for each message that is kept, to report what went wrong.
  template <class Receive, class Early>
  void each(Receive&& receive, Early&& early) const {
    const auto call = [&](const Place& place) {
      if (place.is_empty()) return;
      if (place.has_receives()) {
        receive(place.key());
      } else {
        early(place.content);
      }
    };
    for (const Own& own : own_) std::for_each(own.begin(), own.end(), call);
    std::for_each(table_.begin(), table_.end(), call);
  }

 private:
  static constexpr unsigned node_shift = 44;
  static constexpr std::uint64_t rounds = 0xffffff;
  static constexpr std::uint64_t empty = ~std::uint64_t{0};
  static constexpr unsigned most_alike = 16;  // limit of receives of one pair in one round

  // Either receives or early messages of one key, and never both. There are many places, so they
  // are small.
  struct Place {
    std::uint64_t meeting = empty;
    std::uint32_t context = 0;
    // The first of a list of messages; or the number of receives, with the highest bit set. There
    // are 16 bits below the number, one for each receive: it is set if the message is combined, and
    // the lowest is that of the first receive.
    std::uint32_t content = 0;

    static constexpr std::uint32_t receives = 1U << 31, one = 1U << 16, kinds = one - 1;
    [[nodiscard]] Key key() const { return {meeting, context}; }
    [[nodiscard]] bool is_empty() const { return meeting == empty; }
    [[nodiscard]] bool has_receives() const { return (content & receives) != 0; }
    [[nodiscard]] unsigned count() const { return (content & ~receives) / one; }
  };

  // The places of one node: two, because a rank mostly has one receive awaited and one message
  // early.
  using Own = std::array<Place, 2>;

  [[nodiscard]] Own& own(Key key) { return own_[static_cast<std::size_t>(key.node())]; }
  [[nodiscard]] std::size_t home(Key key) const {
    const std::uint64_t mixed = key.meeting + std::uint64_t{key.context} * 0xd1342543de82ef95U;
    return static_cast<std::size_t>(mixed * 0x9e3779b97f4a7c15U >> 20) & (table_.size() - 1);
  }
  // Returns the place of the key in the table, or the empty place where it belongs.
  [[nodiscard]] std::size_t in_table(Key key) const {
    std::size_t at = home(key);
    while (!(table_[at].key() == key) && !table_[at].is_empty())
      at = (at + 1) & (table_.size() - 1);
    return at;
  }
  // Returns the place of the key; nullptr if it has none.
  [[nodiscard]] Place* find(Key key);
  // Returns the place of the key, and makes one without receives if it has none.
  Place& make(Key key);
  void drop(Place& place);
  void drop_from_table(std::size_t at);
  void grow();

  MessageSlab& messages_;
  std::vector<Own> own_;      // by node
  std::vector<Place> table_;  // its size is a power of two
  std::size_t in_use_ = 0;    // places of the table in use
};

}  // namespace tutti::simulate

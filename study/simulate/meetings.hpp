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

#include "simulate/messages.hpp"

namespace tutti::simulate {

class Meetings {
 public:
  // The receiver, the sender and the round, counted through all phases. Rounds that are 2^24 apart
  // get the same key, which is safe because no rank gets that far ahead of one that it sends to.
  using Key = std::uint64_t;
  [[nodiscard]] static Key key(int node, int from, std::int64_t round) {
    return static_cast<Key>(node) << node_shift | static_cast<Key>(from) << 24 |
           (static_cast<Key>(round) & rounds);
  }
  static int node_of(Key key) { return static_cast<int>(key >> node_shift); }
  static int from_of(Key key) { return static_cast<int>(key >> 24 & 0xfffff); }
  static int round_of(Key key) { return static_cast<int>(key & rounds); }

  Meetings(MessageSlab& messages, std::size_t nodes)
      : messages_(messages), own_(nodes), table_(64) {}

  enum class Receive { plain, combines };
  // Posts a receive. Returns a message that came early for it; if there is none, keeps the receive
  // and returns no_slot. If a pair has several messages in a round, the early ones are taken in the
  // order in which they were sent. The others meet the kept receives in the order of arrival.
  [[nodiscard]] Slot post(Key key, Receive kind);
  // Tells if a receive was kept for a message that arrives, and of which kind, and removes that
  // receive.
  enum class Met { no, plain, combines };
  [[nodiscard]] Met come(Key key);
  // Keeps a message that arrived before its receive.
  void keep(Key key, Slot message);

  // Calls a function for each receive and for each message that is kept, to report what went wrong.
  template <class Receive, class Early>
  void each(Receive&& receive, Early&& early) const {
    const auto call = [&](const Place& place) {
      if (place.key == empty) return;
      if (place.count > 0) receive(place.key);
      if (place.early != no_slot) early(place.early);
    };
    for (const Own& own : own_) std::for_each(own.begin(), own.end(), call);
    std::for_each(table_.begin(), table_.end(), call);
  }

 private:
  struct Place {
    Key key = empty;
    Slot early = no_slot;     // list of messages
    std::uint16_t count = 0;  // number of receives
    std::uint16_t kinds = 0;  // one bit each, set if it combines; the first is lowest
  };

  // The places of one node: two, because a rank mostly has one receive awaited and one message
  // early.
  using Own = std::array<Place, 2>;

  [[nodiscard]] Own& own(Key key) { return own_[static_cast<std::size_t>(node_of(key))]; }
  [[nodiscard]] std::size_t home(Key key) const {
    return static_cast<std::size_t>(key * 0x9e3779b97f4a7c15U >> 20) & (table_.size() - 1);
  }
  // Returns the place of the key in the table, or the empty place where it belongs.
  [[nodiscard]] std::size_t in_table(Key key) const {
    std::size_t at = home(key);
    while (table_[at].key != key && table_[at].key != empty) at = (at + 1) & (table_.size() - 1);
    return at;
  }
  // Returns the place of the key; nullptr if it has none.
  [[nodiscard]] Place* find(Key key);
  // Returns the place of the key, and makes one if it has none.
  Place& make(Key key);
  void drop(Place& place);
  void drop_from_table(std::size_t at);
  void grow();

  static constexpr unsigned node_shift = 44;
  static constexpr Key rounds = 0xffffff;
  static constexpr Key empty = ~Key{0};
  static constexpr unsigned most_alike = 16;  // limit of receives of one pair in one round

  MessageSlab& messages_;
  std::vector<Own> own_;      // by node
  std::vector<Place> table_;  // its size is a power of two
  std::size_t in_use_ = 0;    // places of the table in use
};

}  // namespace tutti::simulate

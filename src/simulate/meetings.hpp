// SPDX-License-Identifier: BSD-3-Clause
// Messages and receives that have not met yet, of all ranks. Mostly a rank has one of a kind, so
// each has places of its own; what does not fit there stands in a hash table. Places go to others
// when they are empty.
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
  // Rounds are numbered through all phases. Numbers that are 2^24 apart are taken for the same: no
  // rank gets that far ahead of one that it sends to.
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

  // A receive is posted: the message that came for it, or no_slot; then it is kept. Several
  // messages of a pair in a round meet the receives in the order in which they come; of those kept,
  // in which they were sent.
  enum class Receive { plain, combines };
  [[nodiscard]] Slot post(Key key, Receive kind);
  // A message comes. Whether a receive was kept for it, and of which kind.
  enum class Met { no, plain, combines };
  [[nodiscard]] Met come(Key key);
  // A message is kept.
  void keep(Key key, Slot message);

  // For reports of what went wrong: calls back with each receive, and each message, that is kept.
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
    Slot early = no_slot;     // a list
    std::uint16_t count = 0;  // receives
    std::uint16_t kinds = 0;  // a bit for each, set if it combines, the first one lowest
  };

  // One for what is awaited, one for what came early.
  using Own = std::array<Place, 2>;

  [[nodiscard]] Own& own(Key key) { return own_[static_cast<std::size_t>(node_of(key))]; }
  [[nodiscard]] std::size_t home(Key key) const {
    return static_cast<std::size_t>(key * 0x9e3779b97f4a7c15U >> 20) & (table_.size() - 1);
  }
  // In the table, the place of the key, or the empty one where it belongs.
  [[nodiscard]] std::size_t in_table(Key key) const {
    std::size_t at = home(key);
    while (table_[at].key != key && table_[at].key != empty) at = (at + 1) & (table_.size() - 1);
    return at;
  }
  // The place of the key; null if it has none.
  [[nodiscard]] Place* find(Key key);
  // The same; it gets one.
  Place& make(Key key);
  void drop(Place& place);
  void drop_from_table(std::size_t at);
  void grow();

  static constexpr unsigned node_shift = 44;
  static constexpr Key rounds = 0xffffff;
  static constexpr Key empty = ~Key{0};
  static constexpr unsigned most_alike = 16;  // receives of one pair in one round

  MessageSlab& messages_;
  std::vector<Own> own_;      // of each node
  std::vector<Place> table_;  // a power of two
  std::size_t in_use_ = 0;    // of the table
};

}  // namespace tutti::simulate

// SPDX-License-Identifier: BSD-3-Clause
// Messages and receives that have not met yet, of all ranks: a hash table whose places go to others when they are empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulate/messages.hpp"

namespace tutti::simulate {

class Meetings {
 public:
  // Rounds are numbered through all phases. Numbers that are 2^24 apart are taken for the same: no rank gets that far
  // ahead of one that it sends to.
  using Key = std::uint64_t;
  [[nodiscard]] static Key key(int node, int from, std::int64_t round) {
    return static_cast<Key>(node) << 44 | static_cast<Key>(from) << 24 | (static_cast<Key>(round) & rounds);
  }
  static int node_of(Key key) { return static_cast<int>(key >> 44); }
  static int from_of(Key key) { return static_cast<int>(key >> 24 & 0xfffff); }
  static int round_of(Key key) { return static_cast<int>(key & rounds); }

  explicit Meetings(Messages& messages) : messages_(messages), places_(64) {}

  // A receive is posted: the message that came for it, or no_slot; then it is kept. Several messages of a
  // pair in a round meet the receives in the order in which they come; of those kept, in which they were sent.
  [[nodiscard]] Slot post(Key key, bool combines);
  // A message comes. Whether a receive was kept for it, and of which kind.
  enum class Met { no, plain, combines };
  [[nodiscard]] Met come(Key key);
  // A message is kept.
  void keep(Key key, Slot message);

  // For reports of what went wrong: calls back with each receive, and each message, that is kept.
  template <class Receive, class Early>
  void each(Receive&& receive, Early&& early) const {
    for (const Place& place : places_) {
      if (place.key == empty) continue;
      if (place.count > 0) receive(place.key);
      if (place.early != no_slot) early(place.early);
    }
  }

 private:
  struct Place {
    Key key = empty;
    Slot early = no_slot;     // a list
    std::uint16_t count = 0;  // receives
    std::uint16_t kinds = 0;  // a bit for each, set if it combines, the first one lowest
  };

  [[nodiscard]] std::size_t home(Key key) const {
    return static_cast<std::size_t>(key * 0x9e3779b97f4a7c15U >> 20) & (places_.size() - 1);
  }
  // The place of the key, or the empty one where it belongs.
  [[nodiscard]] std::size_t find(Key key) const {
    std::size_t at = home(key);
    while (places_[at].key != key && places_[at].key != empty) at = (at + 1) & (places_.size() - 1);
    return at;
  }
  // `at`: where find() finds it.
  Place& make(Key key, std::size_t at);
  void drop(std::size_t at);
  void grow();

  static constexpr Key rounds = 0xffffff;
  static constexpr Key empty = ~Key{0};
  static constexpr unsigned most_alike = 16;  // receives of one pair in one round

  Messages& messages_;
  std::vector<Place> places_;  // a power of two
  std::size_t used_ = 0;
};

}  // namespace tutti::simulate

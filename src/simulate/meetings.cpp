// SPDX-License-Identifier: BSD-3-Clause
// Open addressing with linear probing; what follows an emptied place moves up, so there are no graves.
#include "simulate/meetings.hpp"

#include <utility>

#include "base/error.hpp"

namespace tutti::simulate {

Slot Meetings::post(Key key, bool combines) {
  const std::size_t at = find(key);
  if (places_[at].early != no_slot) {
    const Slot message = places_[at].early;
    places_[at].early = std::exchange(messages_[message].next, no_slot);
    if (places_[at].early == no_slot) drop(at);
    return message;
  }
  Place& place = make(key, at);
  if (place.count == most_alike)
    base::fail(base::Status::invalid_argument, "more than {} messages from {} to {} in a round", most_alike,
               from_of(key), node_of(key));
  if (combines) place.kinds = static_cast<std::uint16_t>(place.kinds | 1U << place.count);
  ++place.count;
  return no_slot;
}

Meetings::Met Meetings::come(Key key) {
  const std::size_t at = find(key);
  Place& place = places_[at];
  if (place.key != key || place.count == 0) return Met::no;
  const bool combines = (place.kinds & 1U) != 0;
  place.kinds = static_cast<std::uint16_t>(place.kinds >> 1);
  --place.count;
  if (place.count == 0) drop(at);
  return combines ? Met::combines : Met::plain;
}

void Meetings::keep(Key key, Slot message) {
  Place& place = make(key, find(key));
  Slot* at = &place.early;
  while (*at != no_slot && messages_[*at].sequence < messages_[message].sequence) at = &messages_[*at].next;
  messages_[message].next = *at;
  *at = message;
}

Meetings::Place& Meetings::make(Key key, std::size_t at) {
  if (places_[at].key == key) return places_[at];
  if (4 * ++used_ > 3 * places_.size()) {
    grow();
    at = find(key);
  }
  places_[at].key = key;
  return places_[at];
}

void Meetings::drop(std::size_t at) {
  const std::size_t mask = places_.size() - 1;
  --used_;
  for (std::size_t next = (at + 1) & mask; places_[next].key != empty; next = (next + 1) & mask) {
    // What is at home between the gap and here stays.
    if (((next - home(places_[next].key)) & mask) < ((next - at) & mask)) continue;
    places_[at] = places_[next];
    at = next;
  }
  places_[at] = Place{};
}

void Meetings::grow() {
  std::vector<Place> old(2 * places_.size());
  old.swap(places_);
  for (const Place& place : old)
    if (place.key != empty) places_[find(place.key)] = place;
}

}  // namespace tutti::simulate

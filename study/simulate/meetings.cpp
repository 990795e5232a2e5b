// SPDX-License-Identifier: BSD-3-Clause
// The hash table uses open addressing with linear probing. When a place becomes empty, later
// entries move up, so that no tombstones are needed (meetings.hpp).
#include "simulate/meetings.hpp"

#include <utility>

#include "base/error.hpp"

namespace tutti::simulate {

Slot Meetings::post(Key key, OnArrival then) {
  Place& place = make(key);
  if (!place.has_receives()) {
    const Slot message = place.content;
    const Slot next = std::exchange(messages_[message].next, no_slot);
    if (next == no_slot) {
      drop(place);
    } else {
      place.content = next;
    }
    return message;
  }
  const unsigned count = place.count();
  if (count == most_alike)
    base::fail(base::Status::invalid_argument, "more than {} messages from {} to {} in a round",
               most_alike, key.from(), key.node());
  if (then == OnArrival::combined) place.content |= 1U << count;
  place.content += Place::one;
  return no_slot;
}

Meetings::Met Meetings::come(Key key) {
  Place* const place = find(key);
  if (place == nullptr || !place->has_receives()) return Met::no;
  const bool combined = (place->content & 1U) != 0;
  const std::uint32_t left = (place->content & Place::kinds) >> 1;
  place->content = ((place->content - Place::one) & ~Place::kinds) | left;
  if (place->count() == 0) drop(*place);
  return combined ? Met::combined : Met::taken;
}

bool Meetings::awaited(Key key) {
  const Place* const place = find(key);
  return place != nullptr && place->has_receives();
}

void Meetings::keep(Key key, Slot message) {
  Place& place = make(key);
  Slot first = place.has_receives() ? no_slot : place.content;
  Slot* at = &first;
  while (*at != no_slot && messages_[*at].order < messages_[message].order)
    at = &messages_[*at].next;
  messages_[message].next = *at;
  *at = message;
  place.content = first;
}

Meetings::Place* Meetings::find(Key key) {
  for (Place& place : own(key))
    if (place.key() == key) return &place;
  if (in_use_ == 0) return nullptr;
  Place& place = table_[in_table(key)];
  return place.key() == key ? &place : nullptr;
}

Meetings::Place& Meetings::make(Key key) {
  Place* place = nullptr;
  for (Place& mine : own(key)) {
    if (mine.key() == key) return mine;
    if (mine.is_empty() && place == nullptr) place = &mine;
  }
  Place* there = &table_[in_table(key)];
  if (there->key() == key) return *there;
  if (place == nullptr) {
    if (4 * ++in_use_ > 3 * table_.size()) {
      grow();
      there = &table_[in_table(key)];
    }
    place = there;
  }
  *place = {key.meeting, key.context, Place::receives};
  return *place;
}

void Meetings::drop(Place& place) {
  const Own& mine = own(place.key());
  if (&place == &mine[0] || &place == &mine[1]) {
    place = Place{};
    return;
  }
  drop_from_table(static_cast<std::size_t>(&place - table_.data()));
}

void Meetings::drop_from_table(std::size_t at) {
  const std::size_t mask = table_.size() - 1;
  --in_use_;
  for (std::size_t next = (at + 1) & mask; !table_[next].is_empty(); next = (next + 1) & mask) {
    // An entry whose home lies between the gap and its own place stays.
    if (((next - home(table_[next].key())) & mask) < ((next - at) & mask)) continue;
    table_[at] = table_[next];
    at = next;
  }
  table_[at] = Place{};
}

void Meetings::grow() {
  std::vector<Place> old(2 * table_.size());
  old.swap(table_);
  for (const Place& place : old)
    if (!place.is_empty()) table_[in_table(place.key())] = place;
}

}  // namespace tutti::simulate

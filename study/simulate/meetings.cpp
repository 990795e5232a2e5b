// SPDX-License-Identifier: BSD-3-Clause
// The hash table uses open addressing with linear probing. When a place becomes empty, later
// entries move up, so that no tombstones are needed (meetings.hpp).
#include "simulate/meetings.hpp"

#include <utility>

#include "base/error.hpp"

namespace tutti::simulate {

Slot Meetings::post(Key key, Receive kind) {
  Place& place = make(key);
  if (place.early != no_slot) {
    const Slot message = place.early;
    place.early = std::exchange(messages_[message].next, no_slot);
    if (place.early == no_slot) drop(place);
    return message;
  }
  if (place.count == most_alike)
    base::fail(base::Status::invalid_argument, "more than {} messages from {} to {} in a round",
               most_alike, from_of(key), node_of(key));
  if (kind == Receive::combines)
    place.kinds = static_cast<std::uint16_t>(place.kinds | 1U << place.count);
  ++place.count;
  return no_slot;
}

Meetings::Met Meetings::come(Key key) {
  Place* const place = find(key);
  if (place == nullptr || place->count == 0) return Met::no;
  const bool combines = (place->kinds & 1U) != 0;
  place->kinds = static_cast<std::uint16_t>(place->kinds >> 1);
  --place->count;
  if (place->count == 0) drop(*place);
  return combines ? Met::combines : Met::plain;
}

void Meetings::keep(Key key, Slot message) {
  Slot* at = &make(key).early;
  while (*at != no_slot && messages_[*at].sequence < messages_[message].sequence)
    at = &messages_[*at].next;
  messages_[message].next = *at;
  *at = message;
}

Meetings::Place* Meetings::find(Key key) {
  for (Place& place : own(key))
    if (place.key == key) return &place;
  if (in_use_ == 0) return nullptr;
  Place& place = table_[in_table(key)];
  return place.key == key ? &place : nullptr;
}

Meetings::Place& Meetings::make(Key key) {
  Place* place = nullptr;
  for (Place& mine : own(key)) {
    if (mine.key == key) return mine;
    if (mine.key == empty && place == nullptr) place = &mine;
  }
  Place* there = &table_[in_table(key)];
  if (there->key == key) return *there;
  if (place == nullptr) {
    if (4 * ++in_use_ > 3 * table_.size()) {
      grow();
      there = &table_[in_table(key)];
    }
    place = there;
  }
  place->key = key;
  return *place;
}

void Meetings::drop(Place& place) {
  const Own& mine = own(place.key);
  if (&place == &mine[0] || &place == &mine[1]) {
    place = Place{};
    return;
  }
  drop_from_table(static_cast<std::size_t>(&place - table_.data()));
}

void Meetings::drop_from_table(std::size_t at) {
  const std::size_t mask = table_.size() - 1;
  --in_use_;
  for (std::size_t next = (at + 1) & mask; table_[next].key != empty; next = (next + 1) & mask) {
    // An entry whose home lies between the gap and its own place stays.
    if (((next - home(table_[next].key)) & mask) < ((next - at) & mask)) continue;
    table_[at] = table_[next];
    at = next;
  }
  table_[at] = Place{};
}

void Meetings::grow() {
  std::vector<Place> old(2 * table_.size());
  old.swap(table_);
  for (const Place& place : old)
    if (place.key != empty) table_[in_table(place.key)] = place;
}

}  // namespace tutti::simulate

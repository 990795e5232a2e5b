// SPDX-License-Identifier: BSD-3-Clause
// Priority queues that are linked through the messages themselves. They are pairing heaps, so
// waiting messages need no further memory and two queues become one at once. A queue is named by
// its top; `next` and `first` of a message hold its place.
#pragma once

#include <utility>

#include "simulate/messages.hpp"

namespace tutti::simulate {

// Makes one queue of two. before(a, b) tells if message a comes before message b.
template <class Before>
Slot meld(MessageSlab& messages, Slot a, Slot b, Before before) {
  if (a == no_slot) return b;
  if (b == no_slot) return a;
  if (before(messages[b], messages[a])) std::swap(a, b);
  messages[b].next = messages[a].first;
  messages[a].first = b;
  return a;
}

template <class Before>
Slot add(MessageSlab& messages, Slot queue, Slot slot, Before before) {
  messages[slot].next = messages[slot].first = no_slot;
  return meld(messages, queue, slot, before);
}

// Removes the top: melds neighbours in pairs from the left, and then all pairs from the right.
template <class Before>
Slot without_top(MessageSlab& messages, Slot top, Before before) {
  Slot pairs = no_slot;
  for (Slot at = messages[top].first; at != no_slot;) {
    const Slot second = std::exchange(messages[at].next, no_slot);
    const Slot after = second == no_slot ? no_slot : std::exchange(messages[second].next, no_slot);
    const Slot pair = meld(messages, at, second, before);
    messages[pair].next = pairs;
    pairs = pair;
    at = after;
  }
  Slot result = no_slot;
  while (pairs != no_slot) {
    const Slot after = std::exchange(messages[pairs].next, no_slot);
    result = meld(messages, result, pairs, before);
    pairs = after;
  }
  messages[top].first = no_slot;
  return result;
}

}  // namespace tutti::simulate

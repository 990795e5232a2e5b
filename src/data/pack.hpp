// SPDX-License-Identifier: BSD-3-Clause
// Copies between an operand in a rank's own memory (a Layout) and the packed form in which it
// travels: the elements [first, first + count) one after the other, without gaps. The engine and
// the mailbox use it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "data/element.hpp"
#include "data/layout.hpp"

namespace tutti::data {

// How the destination is written. non_temporal goes past the caches; the caller must call
// store_fence() before it tells anybody that the data is there. It means plain where such stores do
// not exist (not x86) or are not used (ThreadSanitizer).
enum class Store : std::uint8_t { plain, non_temporal };

// Packs `count` elements into `to`. `base` is the address of the layout's offset 0. The two must
// not overlap.
void pack(void* to, const void* base, const Layout& layout, std::size_t element_bytes,
          std::int64_t first, std::int64_t count, Store store = Store::plain);

// Unpacks the `count` elements in `from` into the layout at `base`.
void unpack(void* base, const void* from, const Layout& layout, std::size_t element_bytes,
            std::int64_t first, std::int64_t count, Store store = Store::plain);

inline void pack(void* to, const void* base, const Layout& layout, Element element,
                 std::int64_t first, std::int64_t count, Store store = Store::plain) {
  pack(to, base, layout, size_of(element), first, count, store);
}

inline void unpack(void* base, const void* from, const Layout& layout, Element element,
                   std::int64_t first, std::int64_t count, Store store = Store::plain) {
  unpack(base, from, layout, size_of(element), first, count, store);
}

// Copies contiguous bytes of any alignment.
void copy(void* to, const void* from, std::size_t bytes, Store store);

// Orders all earlier non-temporal stores of this thread before its later stores.
void store_fence();

}  // namespace tutti::data

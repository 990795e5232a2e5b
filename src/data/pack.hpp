// SPDX-License-Identifier: BSD-3-Clause
// Copies between an operand in a rank's own memory (a Layout) and the packed form in which it
// travels: the elements [first, first + count) one after the other, without gaps.
#pragma once

#include <cstddef>
#include <cstdint>

#include "data/element.hpp"
#include "data/layout.hpp"

namespace tutti::data {

// How the destination is written. non_temporal goes past the caches; the caller must call
// store_fence() before it tells anybody that the data is there. Where there are no such stores (not
// x86, or ThreadSanitizer) it means plain.
enum class Store : std::uint8_t { plain, non_temporal };

// `to` receives the `count` elements; `base` is where the layout's offset 0 lies. The two must not
// overlap.
void pack(void* to, const void* base, const Layout& layout, std::size_t element_bytes,
          std::int64_t first, std::int64_t count, Store store = Store::plain);

// `from` holds the `count` elements.
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

// Both sides contiguous. Any alignment.
void copy(void* to, const void* from, std::size_t bytes, Store store);

// Orders all earlier non-temporal stores of this thread before its later stores.
void store_fence();

}  // namespace tutti::data

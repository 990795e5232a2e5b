// SPDX-License-Identifier: BSD-3-Clause
// A number that tells apart what the buffers of all ranks are: sizes, parts of the vector, cells
// that are the same memory, what lies there at the beginning and has to in the end. A test compares
// the buffers of the prover (memory.hpp) with those of the verifier, so both compile this header.
#pragma once

#include <cstdint>

#include "schedule/program.hpp"

namespace tutti::prove {

// The sum of a part over the ranks low .. high - 1; data is that of one rank. No rank is in it if a
// cell has nothing.
struct CellContent {
  std::int64_t low = -1, high = -1, part = -1;
};

// The place of a cell in its memory, where cells that are the same have the same place.
struct CellPlace {
  schedule::Buffer buffer;
  std::int64_t index;
};

// `Look` has blocks(rank, buffer), part(rank, buffer, i), place(rank, buffer, i), first(rank,
// buffer, i) and last(rank, i) of an output.
template <class Look>
std::uint64_t memory_hash(const Look& look, int p) {
  using schedule::Buffer;
  std::uint64_t hash = 0xcbf29ce484222325U;
  const auto add = [&](std::int64_t number) {
    hash = (hash ^ static_cast<std::uint64_t>(number)) * 0x100000001b3U;
    hash ^= hash >> 29;
  };
  const auto add_content = [&](const CellContent& content) {
    add(content.low);
    add(content.high);
    add(content.part);
  };
  for (int rank = 0; rank < p; ++rank) {
    for (const Buffer buffer : {Buffer::input, Buffer::output, Buffer::scratch}) {
      const int blocks = look.blocks(rank, buffer);
      add(blocks);
      for (int i = 0; i < blocks; ++i) {
        add(look.part(rank, buffer, i));
        const CellPlace place = look.place(rank, buffer, i);
        add(static_cast<std::int64_t>(place.buffer));
        add(place.index);
        add_content(look.first(rank, buffer, i));
        if (buffer == Buffer::output) add_content(look.last(rank, i));
      }
    }
  }
  return hash;
}

}  // namespace tutti::prove

// SPDX-License-Identifier: BSD-3-Clause
// The buffers of a rank on symbols: cells, the parts of the vector that they hold, and lists of
// blocks. It follows src/schedule/memory.cpp.
#pragma once

#include <optional>

#include "subject.hpp"

namespace tutti::prove {

struct Cell {
  Buffer buffer;
  Int index;
};

// The unknown shape of a statement, and the buffers of all ranks.
class Memory {
 public:
  Memory(const Subject& subject, const Shape& shape);

  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] const Buffers& buffers() const { return buffers_; }
  [[nodiscard]] bool is_barrier() const { return operation_ == Operation::barrier; }
  // Number of blocks of a buffer; 0 where only the root has that buffer.
  [[nodiscard]] Int blocks(const Int& rank, Buffer buffer) const;
  [[nodiscard]] Int number_of_parts() const;
  [[nodiscard]] Int part(const Int& rank, const Cell& cell) const;
  // Returns true if the cell of a rank holds the same part of the vector as that of another rank,
  // or, in an alltoall, the same block.
  [[nodiscard]] Truth same_part(const Int& rank, const Cell& cell, const Int& other,
                                const Cell& theirs) const;
  // Returns the one name of a cell that has two if input and output are the same memory.
  [[nodiscard]] Cell named(const Int& rank, const Cell& cell) const;
  // Returns true if both are one cell of the rank.
  [[nodiscard]] Truth same(const Int& rank, const Cell& a, const Cell& b) const;
  // These say where a part is at the beginning, and where it has to be in the end.
  [[nodiscard]] Held initial(const Int& rank, const Int& part) const;
  [[nodiscard]] Held final(const Int& rank, const Int& part) const;

 private:
  [[nodiscard]] bool own_part(Buffer buffer) const;

  Operation operation_;
  Shape shape_;
  Buffers buffers_;
  bool in_place_;
};

[[nodiscard]] inline Cell cell_of(const Held& held) {
  return {held.buffer, held.index};
}

// Returns true if the block surely has one run only, so that the distance of its runs means
// nothing.
[[nodiscard]] bool is_one_run(const Block& block);
// Lists of blocks: number of cells, the k-th of them, and the place of a cell of the list.
[[nodiscard]] Int length(const Blocks& blocks);
[[nodiscard]] Cell cell_at(const Blocks& blocks, Int k);
[[nodiscard]] std::optional<Int> place_in(const Blocks& blocks, const Cell& cell);
// Returns an unknown place in the list.
[[nodiscard]] Int some_place(const Blocks& blocks);

}  // namespace tutti::prove

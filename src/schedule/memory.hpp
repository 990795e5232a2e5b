// SPDX-License-Identifier: BSD-3-Clause
// The buffers of all ranks as the verifier sees them: one cell per block, which holds a symbolic
// value. In place, blocks of input and output that are the same memory are the same cell.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/expression.hpp"
#include "schedule/generator.hpp"

namespace tutti::schedule {

// Says whether input and output are separate memory or, wherever a rank has both, the same memory.
enum class Placement : std::uint8_t { separate, in_place };

// A property that does not hold, as a counter-example to read. The verifier throws and catches it;
// it never leaves the verifier.
struct Violation {
  std::string text;
  // The round, counted from 1, and the rank; 0 and -1 if they are not known.
  int round = 0;
  int rank = -1;
  // The ends of the message that it is about, which may be one that nobody sends; -1 if none.
  int from = -1;
  int to = -1;
};

class Memory {
 public:
  Memory(Operation operation, const Shape& shape, const Buffers& buffers, Placement placement);

  // Number of blocks that the buffer has on `rank`; 0 where only the root has that buffer.
  int blocks(int rank, Buffer buffer) const;
  // Returns the cell of a block. Throws a Violation if there is no such block.
  int cell(int rank, Buffer buffer, std::int64_t number) const;
  // Returns the part of the vector that gives the block its size.
  int part(int rank, Buffer buffer, int index) const;
  // Returns true if two parts have one size whatever the length of the vector is. The two sides of
  // an alltoall cut the vector differently, but all ranks cut alike what is for one rank.
  [[nodiscard]] bool same_size(int part, int other) const;

  Value& operator[](int cell) { return values_[static_cast<std::size_t>(cell)]; }
  Value operator[](int cell) const { return values_[static_cast<std::size_t>(cell)]; }
  int cells() const { return static_cast<int>(values_.size()); }
  // The cells of a rank follow each other.
  int cells_of_rank() const { return buffers_.output + buffers_.input + buffers_.scratch; }

  // Returns the value of input[index] on `rank` before the start.
  Value initial(int rank, int index) const;
  Expressions& expressions() { return expressions_; }
  const Expressions& expressions() const { return expressions_; }

 private:
  void check_sizes() const;
  bool own_part(Buffer buffer) const;
  void fill();

  Operation operation_;
  Shape shape_;
  Buffers buffers_;
  Placement placement_;
  Expressions expressions_;
  std::vector<Value> values_;
};

}  // namespace tutti::schedule

// SPDX-License-Identifier: BSD-3-Clause
// Numbers and fills the cells. The cells of a rank lie in the order output, input, scratch.
#include "schedule/memory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schedule/partition.hpp"

namespace tutti::schedule {
namespace {

std::size_t number_of_cells(const Shape& shape, const Buffers& buffers) {
  constexpr std::int64_t most = std::int64_t{1} << 30;
  std::int64_t of_rank = 0;
  for (const int blocks : {buffers.output, buffers.input, buffers.scratch}) {
    if (blocks < 0) throw Violation{fmt::format("buffers: {} blocks", blocks)};
    of_rank += blocks;
  }
  const std::int64_t of_each = most / std::max(1, shape.p);
  if (of_rank > of_each || buffers.parts > of_each)
    throw Violation{fmt::format("buffers: more than {} blocks of all ranks", most)};
  return static_cast<std::size_t>(of_rank * shape.p);
}

}  // namespace

Memory::Memory(Operation operation, const Shape& shape, const Buffers& buffers, Placement placement)
    : operation_(operation),
      shape_(shape),
      buffers_(buffers),
      placement_(placement),
      expressions_(shape.p, buffers.parts),
      values_(number_of_cells(shape, buffers), nothing) {
  check_sizes();
  fill();
}

void Memory::check_sizes() const {
  if (buffers_.parts < 1)
    throw Violation{fmt::format("buffers: a vector of {} parts", buffers_.parts)};
  if (operation_ == Operation::barrier) return;
  if (buffers_.input_own_part != has_own_input(operation_) ||
      buffers_.output_own_part != has_own_output(operation_))
    throw Violation{"buffers: input or output is a rank's own part in another operation"};
  if (cut_by_rank(operation_, buffers_) && buffers_.parts % shape_.p != 0)
    throw Violation{fmt::format("buffers: {} parts cannot be divided among {} ranks",
                                buffers_.parts, shape_.p)};
  const int own = parts_per_rank(shape_, buffers_);
  const int input = operation_ == Operation::broadcast ? 0
                    : buffers_.input_own_part          ? own
                                                       : buffers_.parts;
  const int output = buffers_.output_own_part ? own : buffers_.parts;
  if (buffers_.input != input || buffers_.output != output)
    throw Violation{
        fmt::format("buffers: {} blocks of input and {} of output, but {} parts for {} ranks",
                    buffers_.input, buffers_.output, buffers_.parts, shape_.p)};
}

bool Memory::own_part(Buffer buffer) const {
  return (buffer == Buffer::input && buffers_.input_own_part) ||
         (buffer == Buffer::output && buffers_.output_own_part);
}

int Memory::blocks(int rank, Buffer buffer) const {
  const bool root = rank == shape_.root;
  const OperationFacts& facts = facts_of(operation_);
  switch (buffer) {
    case Buffer::input:
      return root || facts.input != Share::at_root ? buffers_.input : 0;
    case Buffer::output:
      return root || facts.output != Share::at_root ? buffers_.output : 0;
    case Buffer::scratch:
      return buffers_.scratch;
  }
  return 0;
}

int Memory::part(int rank, Buffer buffer, int index) const {
  return own_part(buffer) ? rank * parts_per_rank(shape_, buffers_) + index
                          : index % buffers_.parts;
}

bool Memory::same_size(int part, int other) const {
  if (operation_ != Operation::alltoall) return part == other;
  return (part - other) % parts_per_rank(shape_, buffers_) == 0;
}

int Memory::cell(int rank, Buffer buffer, std::int64_t number) const {
  if (number < 0 || number >= blocks(rank, buffer))
    throw Violation{
        fmt::format("there is no block {} in a buffer of {}", number, blocks(rank, buffer))};
  const int index = static_cast<int>(number);
  const int base = rank * cells_of_rank();
  if (buffer == Buffer::output) return base + index;
  if (buffer == Buffer::scratch) return base + buffers_.output + buffers_.input + index;
  if (placement_ == Placement::in_place && blocks(rank, Buffer::output) > 0) {
    // The input block is the same memory as the output block that holds the same part of the
    // vector, if this rank has that one.
    const int whole = part(rank, Buffer::input, index);
    const int same = whole - (buffers_.output_own_part ? part(rank, Buffer::output, 0) : 0);
    if (same >= 0 && same < buffers_.output) return base + same;
  }
  return base + buffers_.output + index;
}

Value Memory::initial(int rank, int index) const {
  return expressions_.leaf(rank, part(rank, Buffer::input, index));
}

void Memory::fill() {
  for (int rank = 0; rank < shape_.p; ++rank)
    for (int i = 0; i < blocks(rank, Buffer::input); ++i)
      (*this)[cell(rank, Buffer::input, i)] = initial(rank, i);
  if (operation_ != Operation::broadcast) return;
  for (int i = 0; i < buffers_.output; ++i)
    (*this)[cell(shape_.root, Buffer::output, i)] = expressions_.leaf(shape_.root, i);
}

}  // namespace tutti::schedule

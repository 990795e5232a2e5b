// SPDX-License-Identifier: BSD-3-Clause
#include "memory.hpp"

namespace tutti::prove {
Memory::Memory(const Subject& subject, const Shape& shape)
    : operation_(subject.generator->operation),
      shape_(shape),
      buffers_(subject.generator->buffers(shape)),
      in_place_(subject.in_place) {}

bool Memory::own_part(Buffer buffer) const {
  return (buffer == Buffer::input && buffers_.input_own_part) ||
         (buffer == Buffer::output && buffers_.output_own_part);
}

Int Memory::blocks(const Int& rank, Buffer buffer) const {
  const schedule::OperationFacts& facts = facts_of(operation_);
  const bool at_root =
      buffer != Buffer::scratch &&
      (buffer == Buffer::input ? facts.input : facts.output) == schedule::Share::at_root;
  if (at_root && rank != shape_.root) return 0;
  return buffers_.blocks_of(buffer);
}

Int Memory::number_of_parts() const {
  if (operation_ == Operation::barrier) return shape_.p;
  return operation_ == Operation::alltoall ? 2 * shape_.p : buffers_.parts;
}

Int Memory::part(const Int& rank, const Cell& cell) const {
  if (operation_ == Operation::alltoall) {
    const bool for_another = cell.buffer == Buffer::input && cell.index != rank;
    return for_another ? cell.index : shape_.p + cell.index;
  }
  if (own_part(cell.buffer)) return rank * parts_per_rank(shape_, buffers_) + cell.index;
  return cell.index % buffers_.parts;
}

Truth Memory::same_part(const Int& rank, const Cell& cell, const Int& other,
                        const Cell& theirs) const {
  const Int one = part(rank, cell), two = part(other, theirs);
  if (operation_ != Operation::alltoall || rank == other) return one == two;
  // The block that one rank has for another is the one for that rank from the first.
  return one < shape_.p ? schedule::all({one == other, two == shape_.p + rank})
                        : schedule::all({one == shape_.p + other, two == rank});
}

Cell Memory::named(const Int& rank, const Cell& cell) const {
  if (!in_place_ || cell.buffer != Buffer::input || blocks(rank, Buffer::output) == 0) return cell;
  const Int first = buffers_.output_own_part ? part(rank, {Buffer::output, 0}) : Int(0);
  const Int same = operation_ == Operation::alltoall ? cell.index : part(rank, cell) - first;
  return same >= 0 && same < buffers_.output ? Cell{Buffer::output, same} : cell;
}

Truth Memory::same(const Int& rank, const Cell& a, const Cell& b) const {
  const Cell one = named(rank, a), other = named(rank, b);
  return one.buffer == other.buffer ? one.index == other.index : Truth(false);
}

Held Memory::initial(const Int& rank, const Int& part) const {
  const bool root = rank == shape_.root;
  switch (operation_) {
    case Operation::barrier:
      return {rank == part};
    case Operation::broadcast:
      return root ? schedule::held(Buffer::output, part) : Held{};
    case Operation::scatter:
      return root ? schedule::held(Buffer::input, part) : Held{};
    case Operation::gather:
    case Operation::allgather: {
      const Int own = parts_per_rank(shape_, buffers_), first = rank * own;
      return part >= first && part < first + own ? schedule::held(Buffer::input, part - first)
                                                 : Held{};
    }
    case Operation::alltoall:
      if (part == rank) return {};
      if (part < shape_.p) return schedule::held(Buffer::input, part);
      return part == shape_.p + rank ? schedule::held(Buffer::input, rank) : Held{};
    default:
      return schedule::held_sum(Buffer::input, part, rank, rank + 1);
  }
}

Held Memory::final(const Int& rank, const Int& part) const {
  const bool root = rank == shape_.root;
  const Held whole = schedule::held_sum(Buffer::output, part, 0, shape_.p);
  switch (operation_) {
    case Operation::gather:
    case Operation::reduce:
      return root ? whole : Held{};
    case Operation::scatter:
    case Operation::reduce_scatter: {
      const Int own = parts_per_rank(shape_, buffers_), first = rank * own;
      return part >= first && part < first + own
                 ? schedule::held_sum(Buffer::output, part - first, 0, shape_.p)
                 : Held{};
    }
    case Operation::scan:
      return schedule::held_sum(Buffer::output, part, 0, rank + 1);
    case Operation::alltoall:
      return part >= shape_.p ? schedule::held(Buffer::output, part - shape_.p) : Held{};
    case Operation::exscan:
      return rank > 0 ? schedule::held_sum(Buffer::output, part, 0, rank) : Held{};
    default:
      return whole;
  }
}

Int length(const Blocks& blocks) {
  Int sum = 0;
  for (const Block& block : blocks) sum += block.count * block.times;
  return sum;
}

bool is_one_run(const Block& block) {
  return block.times.is_number() && block.times == 1;
}

namespace {

// The distance of the runs is a power of two. So the run of a cell is a quotient by it, and its
// place in the run is the remainder.
std::optional<Int> place_in_runs(const Block& block, const Int& index) {
  const Int offset = index - block.first;
  const auto exponent = path().exponent_of(block.stride);
  if (!exponent) throw Unsupported{"runs at a distance that is no power of two"};
  const Int in_run = path().low(offset, *exponent);
  if (in_run >= block.count) return std::nullopt;
  const Int run = path().quotient(offset, *exponent);
  if (run < 0 || run >= block.times) return std::nullopt;
  return run * block.count + in_run;
}

}  // namespace

Cell cell_at(const Blocks& blocks, Int k) {
  for (const Block& block : blocks) {
    const Int here = block.count * block.times;
    if (k < here) {
      if (is_one_run(block)) return {block.buffer, block.first + k};
      const Int run = k / block.count;
      return {block.buffer, block.first + run * block.stride + k % block.count};
    }
    k -= here;
  }
  path().assume(false);
  return {};
}

std::optional<Int> place_in(const Blocks& blocks, const Cell& cell) {
  Int before = 0;
  for (const Block& block : blocks) {
    if (block.buffer == cell.buffer) {
      if (!is_one_run(block)) {
        if (const auto place = place_in_runs(block, cell.index)) return before + *place;
      } else if (cell.index >= block.first && cell.index < block.first + block.count) {
        return before + (cell.index - block.first);
      }
    }
    before += block.count * block.times;
  }
  return std::nullopt;
}

Int some_place(const Blocks& blocks) {
  const Int k = path().unknown("place");
  path().assume(0 <= k);
  path().assume(k < length(blocks));
  return k;
}

}  // namespace tutti::prove

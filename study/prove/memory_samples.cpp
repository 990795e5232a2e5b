// SPDX-License-Identifier: BSD-3-Clause
// The buffers of the prover on numbers, for the comparison with those of the verifier.
#include <iostream>
#include <vector>

#include "memory.hpp"
#include "memory_hash.hpp"
#include "proof.hpp"
#include "samples.hpp"

namespace tutti::prove {
namespace {

// Asks the functions of Memory about every cell.
class MemoryLook {
 public:
  MemoryLook(const Memory& memory, Operation operation) : memory_(memory), operation_(operation) {
    for (Int rank = 0; rank < memory.shape().p; ++rank) {
      first_.emplace_back();
      last_.emplace_back();
      for (Int part = 0; part < memory.number_of_parts(); ++part) {
        add(first_.back(), rank, part, memory.initial(rank, part));
        add(last_.back(), rank, part, memory.final(rank, part));
      }
    }
  }

  [[nodiscard]] int blocks(int rank, Buffer buffer) const {
    return static_cast<int>(memory_.blocks(rank, buffer).number());
  }
  [[nodiscard]] std::int64_t part(int rank, Buffer buffer, int i) const {
    // The parts of a complete exchange are blocks for another rank or from it. Both have a size.
    const Int part = memory_.part(rank, {buffer, i});
    return (operation_ == Operation::alltoall ? part % memory_.shape().p : part).number();
  }
  [[nodiscard]] CellPlace place(int rank, Buffer buffer, int i) const {
    const Cell cell = memory_.named(rank, {buffer, i});
    return {cell.buffer, cell.index.number()};
  }
  [[nodiscard]] CellContent first(int rank, Buffer buffer, int i) const {
    return content(first_[static_cast<std::size_t>(rank)], place(rank, buffer, i));
  }
  [[nodiscard]] CellContent last(int rank, int i) const {
    return content(last_[static_cast<std::size_t>(rank)], {Buffer::output, i});
  }

 private:
  struct Filled {
    CellPlace place;
    CellContent content;
  };

  void add(std::vector<Filled>& cells, const Int& rank, const Int& part, const Held& held) const {
    if (!held.any) return;
    const Cell cell = memory_.named(rank, cell_of(held));
    cells.push_back({{cell.buffer, cell.index.number()}, content_of(rank, part, held)});
  }

  // Which ranks' data or sum it is, and of which part, as the operation means it.
  [[nodiscard]] CellContent content_of(const Int& rank, const Int& part, const Held& held) const {
    const Shape& shape = memory_.shape();
    const auto from = [](const Int& owner, const Int& of) {
      return CellContent{owner.number(), owner.number() + 1, of.number()};
    };
    switch (operation_) {
      case Operation::broadcast:
      case Operation::scatter:
        return from(shape.root, part);
      case Operation::gather:
      case Operation::allgather:
        return from(part / parts_per_rank(shape, memory_.buffers()), part);
      case Operation::alltoall:
        return part < shape.p ? from(rank, part) : from(part - shape.p, rank);
      default:
        return {held.low.number(), held.high.number(), part.number()};
    }
  }

  static CellContent content(const std::vector<Filled>& cells, const CellPlace& place) {
    for (const Filled& cell : cells)
      if (cell.place.buffer == place.buffer && cell.place.index == place.index) return cell.content;
    return {};
  }

  const Memory& memory_;
  Operation operation_;
  std::vector<std::vector<Filled>> first_, last_;  // by rank
};

std::uint64_t hash_of(const Generator& generator, const Shape& shape, bool in_place) {
  const Memory memory({&generator, {}, in_place}, shape);
  return memory_hash(MemoryLook(memory, generator.operation), static_cast<int>(shape.p.number()));
}

void print_memory_of(const Generator& generator, const std::string& name, const Shape& shape) {
  if (!generator.applies(shape)) return;
  for (const bool in_place : {false, true}) {
    if (in_place && !prove_in_place(generator)) continue;
    std::cout << name << ' ' << shape.p.number() << ' ' << shape.root.number() << ' ' << in_place
              << ' ' << std::hex << hash_of(generator, shape, in_place) << std::dec << '\n';
  }
}

}  // namespace

void print_memory(const Generator& generator, const std::string& name, int most) {
  // A barrier has no buffers. Of pipelines, other generators are looked at, which have no names.
  if (generator.operation == Operation::barrier || &looked_at(generator) != &generator) return;
  if (generator.parameter != schedule::Parameter::none) return;
  for (int p = 1; p <= most; ++p) {
    for (int root = 0; root < (has_root(generator.operation) ? p : 1); ++root) {
      Shape shape;
      shape.p = p;
      shape.root = root;
      print_memory_of(generator, name, shape);
    }
  }
}

}  // namespace tutti::prove

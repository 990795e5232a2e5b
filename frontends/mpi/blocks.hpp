// SPDX-License-Identifier: BSD-3-Clause
// The blocks of an irregular call, one for each rank, as bytes that lie one behind the other.
#pragma once

#include <array>
#include <memory_resource>
#include <vector>

#include "message.hpp"

namespace tutti::mpi {

// A list of counts or displacements: of int, or of numbers of 64 bits in the forms with large
// counts.
class Numbers {
 public:
  explicit Numbers(const int* list) : narrow_(list) {}
  explicit Numbers(const Count* list) : wide_(list) {}
  [[nodiscard]] Count operator[](int rank) const {
    return narrow_ != nullptr ? narrow_[rank] : wide_[rank];
  }
  [[nodiscard]] bool given() const { return narrow_ != nullptr || wide_ != nullptr; }

 private:
  const int* narrow_ = nullptr;
  const Count* wide_ = nullptr;
};

// The blocks of one side as a call of MPI describes them.
struct BlockList {
  const void* address;
  Numbers counts;
  Numbers displacements;      // in elements, or in bytes if each block has a type of its own
  const MPI_Datatype* types;  // one for each rank, or a single one
  enum class Types : std::uint8_t { one, each } how_many_types;
};

class IrregularBlocks {
 public:
  IrregularBlocks(const BlockList& list, int ranks);
  IrregularBlocks(const IrregularBlocks&) = delete;
  IrregularBlocks& operator=(const IrregularBlocks&) = delete;

  // Returns false if the MPI will refuse the blocks.
  [[nodiscard]] bool valid() const { return valid_; }
  [[nodiscard]] Count total() const { return total_; }
  // The bytes of each block.
  [[nodiscard]] const std::int64_t* counts() const { return counts_.data(); }
  [[nodiscard]] tutti_data all() const { return tutti_array(begin_, total_, TUTTI_BYTE); }
  [[nodiscard]] tutti_data block(int rank) const {
    const auto place = static_cast<std::size_t>(rank);
    return tutti_array(begin_ + first_[place], counts_[place], TUTTI_BYTE);
  }
  // See MessageBytes.
  [[nodiscard]] bool fill();
  [[nodiscard]] bool make_room();
  [[nodiscard]] bool fill_block(int rank);
  [[nodiscard]] bool deliver(const Receipt& receipt) const;
  [[nodiscard]] Count count() const { return total_; }
  // Bytes of an element of the first block.
  [[nodiscard]] Count element() const { return blocks_.empty() ? 0 : blocks_[0].type->size; }
  // From now on the block of a rank has fewer bytes, at the same place of the program's memory.
  // Called before fill() or make_room(). Returns false if the bytes are no whole elements.
  [[nodiscard]] bool shorten(int rank, Count bytes);

 private:
  [[nodiscard]] bool lie_in_place() const { return memory_ == nullptr; }
  // Returns true if the blocks lie one behind the other in the memory of the program.
  [[nodiscard]] bool adjoin() const;

  // Lists of few ranks are in this room, because allocations would take longer than a short call.
  static constexpr std::size_t few = 16;
  alignas(Elements) std::array<std::byte, few*(sizeof(Elements) + 2 * sizeof(std::int64_t))> room_;
  std::pmr::monotonic_buffer_resource lists_{room_.data(), room_.size()};

  bool valid_ = false;
  Count total_ = 0;
  std::pmr::vector<Elements> blocks_{&lists_};
  std::pmr::vector<std::int64_t> counts_{&lists_}, first_{&lists_};
  OwnMemory memory_;
  std::byte* begin_ = nullptr;
};

}  // namespace tutti::mpi

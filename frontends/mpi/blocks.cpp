// SPDX-License-Identifier: BSD-3-Clause
// Collects the blocks of an irregular call (blocks.hpp).
#include "blocks.hpp"

namespace tutti::mpi {
namespace {

// Some MPIs do not look at the type of a block without elements, which may then be none.
#if defined(OPEN_MPI)
constexpr bool accepts_any_type_of_nothing = false;
#else
constexpr bool accepts_any_type_of_nothing = true;
#endif
constexpr Type nothing{.dense = true};

}  // namespace

IrregularBlocks::IrregularBlocks(const BlockList& list, int ranks) {
  const bool each = list.how_many_types == BlockList::Types::each;
  const auto number = static_cast<std::size_t>(ranks);
  if (list.address == MPI_IN_PLACE || !list.counts.given() || !list.displacements.given()) return;
  blocks_.resize(number);
  counts_.resize(number);
  first_.resize(number);
  auto* const base = static_cast<std::byte*>(const_cast<void*>(list.address));
  for (int rank = 0; rank < ranks; ++rank) {
    const auto place = static_cast<std::size_t>(rank);
    Elements& block = blocks_[place];
    const bool first = each || rank == 0;
    block.count = list.counts[rank];
    const bool means_nothing = each && block.count == 0 && accepts_any_type_of_nothing;
    if (list.types == nullptr && !means_nothing) return;
    if (list.types != nullptr) block.handle = list.types[each ? rank : 0];
    block.type = means_nothing ? &nothing : first ? find_type(block.handle) : blocks_[0].type;
    if (block.type == nullptr || block.count < 0) return;
    block.address = base + list.displacements[rank] * (each ? 1 : block.type->extent);
    counts_[place] = block.bytes();
    first_[place] = total_;
    total_ += block.bytes();
    if (refused_without_address(list.address) && block.type->dense && !each && block.bytes() > 0)
      return;
  }
  valid_ = true;
}

bool IrregularBlocks::adjoin() const {
  const std::byte* next = nullptr;
  for (const Elements& block : blocks_) {
    if (block.bytes() == 0) continue;
    if (!block.type->dense || (next != nullptr && block.address != next)) return false;
    next = block.address + block.bytes();
  }
  return true;
}

bool IrregularBlocks::make_room() {
  if (adjoin()) {
    for (const Elements& block : blocks_) {
      begin_ = block.address;
      if (block.bytes() > 0) break;
    }
    return true;
  }
  memory_ = allocate(total_);
  begin_ = memory_.get();
  return begin_ != nullptr;
}

bool IrregularBlocks::fill() {
  if (!make_room()) return false;
  for (int rank = 0; rank < static_cast<int>(blocks_.size()); ++rank)
    if (!fill_block(rank)) return false;
  return true;
}

bool IrregularBlocks::fill_block(int rank) {
  const auto place = static_cast<std::size_t>(rank);
  return lie_in_place() || blocks_[place].pack(begin_ + first_[place]);
}

bool IrregularBlocks::deliver(const Receipt& receipt) const {
  if (lie_in_place()) return true;
  for (int rank = 0; rank < static_cast<int>(blocks_.size()); ++rank) {
    const auto place = static_cast<std::size_t>(rank);
    Elements received = blocks_[place];
    if (!received.shorten(receipt.block(rank, counts_[place])) ||
        !received.unpack(begin_ + first_[place]))
      return false;
  }
  return true;
}

bool IrregularBlocks::shorten(int rank, Count bytes) {
  const auto place = static_cast<std::size_t>(rank);
  if (!blocks_[place].shorten(bytes)) return false;
  total_ -= counts_[place] - bytes;
  counts_[place] = bytes;
  for (std::size_t next = place + 1; next < first_.size(); ++next)
    first_[next] = first_[next - 1] + counts_[next - 1];
  return true;
}

}  // namespace tutti::mpi

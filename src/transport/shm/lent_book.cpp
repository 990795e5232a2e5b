// SPDX-License-Identifier: BSD-3-Clause
// Finds words for blocks, and frees the blocks of processes that have gone.
#include "transport/shm/lent_book.hpp"

#include <cstring>

#include "transport/shm/heap.hpp"

namespace tutti::transport::shm {
namespace {

void free_block(const Mapping& mapping, std::uint64_t block) {
  const LentHeader& header = *mapping.at<LentHeader>(block);
  Heap(mapping).free(block, sizeof(LentHeader) + header.bytes);
}

// Leaves a message whose sender has ended to its readers.
void leave_to_readers(const Mapping& mapping, std::uint64_t block) {
  LentHeader& header = *mapping.at<LentHeader>(block);
  const std::uint32_t untold = header.untold.see();
  if (header.readers.add(LentHeader::abandon - untold) == untold) free_block(mapping, block);
}

// Frees the ring of messages unless somebody still reads in it.
void leave_ring(const Mapping& mapping, int slot) {
  bool is_read = true;
  LentBook::for_each(mapping, slot, LentBook::Kind::in_ring,
                     [&](LentBook::Word& word, std::uint64_t block) {
                       LentHeader& header = *mapping.at<LentHeader>(block);
                       const std::uint32_t untold = header.untold.exchange(0);
                       if (header.readers.subtract(untold) == untold) {
                         word.publish(0);
                       } else {
                         is_read = false;
                       }
                     });
  auto& ring = mapping.endpoint(slot).message_ring;
  const std::uint64_t offset = ring.see();
  if (offset == 0 || !is_read) return;
  ring.publish(0);
  Heap(mapping).free(offset, static_cast<std::uint64_t>(mapping.tuning().mail_ring));
}

}  // namespace

// Words are used in turn, so the next one is nearly always free.
LentBook::Word* LentBook::add(std::uint64_t block, Kind kind) {
  Word* word = &table_->words[at_];
  if (word->peek() != 0) [[unlikely]] {
    word = find_free();
    if (word == nullptr) return nullptr;
  }
  word->publish(block | static_cast<std::uint64_t>(kind));
  at_ = at_ + 1 < LentTable::words_count ? at_ + 1 : 0;
  return word;
}

void LentBook::remove(Word* word) {
  word->publish(0);
}

LentBook::Word* LentBook::find_free() {
  for (LentTable* table = first_; table != nullptr; table = next_of(*mapping_, *table)) {
    for (int at = 0; at < LentTable::words_count; ++at) {
      if (table->words[at].peek() != 0) continue;
      table_ = table;
      at_ = at;
      return &table->words[at];
    }
  }
  return add_table() ? &table_->words[at_] : nullptr;
}

bool LentBook::add_table() {
  const auto offset = Heap(*mapping_).allocate(sizeof(LentTable));
  if (!offset) return false;
  auto* const table = mapping_->at<LentTable>(*offset);
  std::memset(static_cast<void*>(table), 0, sizeof *table);
  table->next.put(first_->next.peek());
  first_->next.publish(*offset);
  table_ = table;
  at_ = 0;
  return true;
}

void release_block(const Mapping& mapping, std::uint64_t block) {
  const std::uint32_t before = mapping.at<LentHeader>(block)->readers.subtract(1);
  if (before == (LentHeader::abandon | 1)) free_block(mapping, block);
}

void abandon(const Mapping& mapping, int slot) {
  using Kind = LentBook::Kind;
  const auto clear_first = [&](auto end) {
    return [&mapping, end](LentBook::Word& word, std::uint64_t block) {
      if (word.exchange(0) != 0) end(mapping, block);
    };
  };
  LentBook::for_each(mapping, slot, Kind::held, clear_first(release_block));
  leave_ring(mapping, slot);
  LentBook::for_each(mapping, slot, Kind::sent, clear_first(leave_to_readers));
}

void free_blocks(const Mapping& mapping, int slot) {
  LentBook::for_each(mapping, slot, LentBook::Kind::block,
                     [&](LentBook::Word& word, std::uint64_t block) {
                       if (word.exchange(0) != 0) free_block(mapping, block);
                     });
}

}  // namespace tutti::transport::shm

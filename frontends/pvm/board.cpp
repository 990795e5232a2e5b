// SPDX-License-Identifier: BSD-3-Clause
// Entries and blocks of the message mailbox (board.hpp).
#include "board.hpp"

#include <tutti-pvm/pvm3.h>
#include <tutti/tutti_runtime.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "core.hpp"

namespace tutti::pvm {
namespace {

constexpr int no_owner = 0;

}  // namespace

Board::Board() : record_(nullptr) {
  void* address = nullptr;
  if (tutti_record("pvm.board", sizeof(BoardRecord), &address) != TUTTI_OK) throw std::bad_alloc();
  record_ = static_cast<BoardRecord*>(address);
}

std::unique_lock<RecordLock> Board::hold() {
  auto held = pvm::hold(record_->lock, [this] { collect_free_blocks(); });
  if (!record_->prepared) {
    collect_free_blocks();
    in_this_order();
    record_->prepared = true;
  }
  sweep();
  return held;
}

// An entry is `used` only while all its blocks are its own, so what no used entry has is free, also
// where a killed task was about to take or to give back blocks.
void Board::collect_free_blocks() {
  std::vector<bool> in_use(BoardRecord::blocks);
  for (const BoardEntry& entry : record_->entry) {
    if (!entry.used) continue;
    for (int block = entry.first_block; block >= 0; block = record_->next[block])
      in_use[static_cast<std::size_t>(block)] = true;
  }
  record_->free_block = -1;
  for (int block = BoardRecord::blocks - 1; block >= 0; --block) {
    if (in_use[static_cast<std::size_t>(block)]) continue;
    record_->next[block] = std::exchange(record_->free_block, block);
  }
}

void Board::sweep() {
  const std::int64_t departures = tutti_departures();
  if (std::exchange(departures_, departures) == departures) return;
  for (BoardEntry& entry : record_->entry) {
    if (!entry.used || entry.owner == no_owner ||
        tutti_present(tutti_pvm_endpoint(entry.owner)) != 0)
      continue;
    if ((entry.flags & PvmMboxPersistent) != 0) {
      entry.owner = no_owner;
    } else {
      clear(entry);
    }
  }
}

BoardEntry* Board::find(std::string_view name, int index) {
  BoardEntry* from = find_from(name, index);
  return from != nullptr && from->index == index ? from : nullptr;
}

BoardEntry* Board::find_from(std::string_view name, int index) {
  BoardEntry* best = nullptr;
  for (BoardEntry& entry : record_->entry) {
    if (!entry.used || name != entry.name) continue;
    if (entry.index >= index && (best == nullptr || entry.index < best->index)) best = &entry;
  }
  return best;
}

bool Board::may_change(const BoardEntry& entry, int tid) const {
  return entry.owner == tid || (entry.flags & PvmMboxOverWritable) != 0;
}

void Board::clear(BoardEntry& entry) {
  entry.used = false;
  in_this_order();
  while (entry.first_block >= 0) {
    const int block = std::exchange(entry.first_block, record_->next[entry.first_block]);
    record_->next[block] = std::exchange(record_->free_block, block);
  }
}

bool Board::fits(const MessageBuffer& message, const BoardEntry& old) const {
  const auto blocks_of = [](std::size_t bytes) {
    return (bytes + BoardRecord::block_bytes - 1) / BoardRecord::block_bytes;
  };
  std::size_t room = blocks_of(static_cast<std::size_t>(old.bytes));
  for (int block = record_->free_block; block >= 0; block = record_->next[block]) ++room;
  return blocks_of(message.size()) <= room;
}

// Returns false and keeps nothing if there are too few free blocks.
bool Board::store(BoardEntry& entry, const MessageBuffer& message) {
  entry.first_block = -1;
  int* link = &entry.first_block;
  for (std::size_t at = 0; at < message.size(); at += BoardRecord::block_bytes) {
    const int block = record_->free_block;
    if (block < 0) {
      clear(entry);
      return false;
    }
    record_->free_block = std::exchange(record_->next[block], -1);
    const std::size_t bytes = std::min<std::size_t>(message.size() - at, BoardRecord::block_bytes);
    std::memcpy(record_->block[block], message.data() + at, bytes);
    *link = block;
    link = &record_->next[block];
  }
  return true;
}

int Board::add(std::string_view name, int index, const MessageBuffer& message, int flags,
               int owner) {
  auto* const end = record_->entry + BoardRecord::entries;
  auto* const place =
      std::find_if(record_->entry, end, [](const BoardEntry& entry) { return !entry.used; });
  if (place == end || !store(*place, message)) return PvmNoMem;
  place->name[name.copy(place->name, BoardEntry::name_bytes - 1)] = '\0';
  place->index = index;
  place->owner = owner;
  place->flags = flags;
  place->bytes = static_cast<int>(message.size());
  place->tag = message.origin.tag;
  place->context = message.origin.context;
  place->tid = owner;
  place->serial = record_->serials++;
  in_this_order();
  place->used = true;
  return index;
}

int Board::put_at(std::string_view name, const MessageBuffer& message, int flags, int owner,
                  int index) {
  if (BoardEntry* old = find(name, index)) {
    if (!may_change(*old, owner)) return PvmDenied;
    if ((old->flags & PvmMboxOverWritable) == 0) return PvmExists;
    if (!fits(message, *old)) return PvmNoMem;
    clear(*old);
  }
  return add(name, index, message, flags, owner);
}

int Board::put(std::string_view name, const MessageBuffer& message, int flags, int owner) {
  constexpr int index_shift = 10;  // lowest bit of PvmMboxDirectIndex
  if (name.empty() || name.size() >= BoardEntry::name_bytes) return PvmBadParam;
  const auto held = hold();
  const BoardEntry* first = find_from(name, 0);
  if (flags >> index_shift != 0) return put_at(name, message, flags, owner, flags >> index_shift);
  if ((flags & PvmMboxMultiInstance) == 0) return put_at(name, message, flags, owner, 0);
  if (first != nullptr && (first->flags & PvmMboxMultiInstance) == 0) return PvmExists;
  int index = 0;
  while (find(name, index) != nullptr) ++index;
  return add(name, index, message, flags, owner);
}

int Board::receive(MessageBuffers& buffers, std::string_view name, int index, int flags,
                   int reader) {
  const auto held = hold();
  BoardEntry* entry = (flags & PvmMboxFirstAvail) != 0 ? find_from(name, index) : find(name, index);
  if (entry == nullptr) return PvmNotFound;
  const bool take = (flags & PvmMboxReadAndDelete) != 0;
  if (take && !may_change(*entry, reader)) return PvmDenied;
  MessageBuffer& message = *buffers.make(PvmDataDefault);
  std::byte* to = message.receive(static_cast<std::size_t>(entry->bytes));
  if (to == nullptr) return PvmNoMem;
  int left = entry->bytes;
  for (int block = entry->first_block; block >= 0; block = record_->next[block]) {
    const int bytes = std::min<int>(left, BoardRecord::block_bytes);
    std::memcpy(to, record_->block[block], static_cast<std::size_t>(bytes));
    to += bytes;
    left -= bytes;
  }
  message.origin = {entry->tid, entry->tag, entry->context};
  if (take) clear(*entry);
  return message.number();
}

int Board::remove(std::string_view name, int index, int remover) {
  const auto held = hold();
  BoardEntry* entry = find(name, index);
  if (entry == nullptr) return PvmNotFound;
  if (!may_change(*entry, remover)) return PvmDenied;
  clear(*entry);
  return PvmOk;
}

std::vector<BoardEntry> Board::list() {
  const auto held = hold();
  std::vector<BoardEntry> all;
  std::copy_if(record_->entry, record_->entry + BoardRecord::entries, std::back_inserter(all),
               [](const BoardEntry& entry) { return entry.used; });
  std::sort(all.begin(), all.end(),
            [](const BoardEntry& a, const BoardEntry& b) { return a.serial < b.serial; });
  return all;
}

}  // namespace tutti::pvm

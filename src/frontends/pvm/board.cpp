// SPDX-License-Identifier: BSD-3-Clause
// Entries and blocks of the message mailbox (board.hpp).
#include "board.hpp"

#include <tutti-pvm/pvm3.h>
#include <tutti/tutti_runtime.h>

#include <algorithm>
#include <cstring>
#include <mutex>
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

void Board::prepare() {
  if (!record_->prepared) {
    for (int i = 0; i < BoardRecord::blocks; ++i)
      record_->next[i] = i + 1 < BoardRecord::blocks ? i + 1 : -1;
    record_->free_block = 0;
    record_->prepared = true;
  }
  sweep();
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
  while (entry.first_block >= 0) {
    const int block = std::exchange(entry.first_block, record_->next[entry.first_block]);
    record_->next[block] = std::exchange(record_->free_block, block);
  }
  entry.used = false;
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
  place->used = true;
  return index;
}

int Board::put_at(std::string_view name, const MessageBuffer& message, int flags, int owner,
                  int index) {
  if (BoardEntry* old = find(name, index)) {
    if (!may_change(*old, owner)) return PvmDenied;
    if ((old->flags & PvmMboxOverWritable) == 0) return PvmExists;
    clear(*old);
  }
  return add(name, index, message, flags, owner);
}

int Board::put(std::string_view name, const MessageBuffer& message, int flags, int owner) {
  constexpr int index_shift = 10;  // lowest bit of PvmMboxDirectIndex
  if (name.empty() || name.size() >= BoardEntry::name_bytes) return PvmBadParam;
  const std::lock_guard hold(record_->lock);
  prepare();
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
  const std::lock_guard hold(record_->lock);
  prepare();
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
  const std::lock_guard hold(record_->lock);
  prepare();
  BoardEntry* entry = find(name, index);
  if (entry == nullptr) return PvmNotFound;
  if (!may_change(*entry, remover)) return PvmDenied;
  clear(*entry);
  return PvmOk;
}

std::vector<BoardEntry> Board::list() {
  const std::lock_guard hold(record_->lock);
  prepare();
  std::vector<BoardEntry> all;
  std::copy_if(record_->entry, record_->entry + BoardRecord::entries, std::back_inserter(all),
               [](const BoardEntry& entry) { return entry.used; });
  std::sort(all.begin(), all.end(),
            [](const BoardEntry& a, const BoardEntry& b) { return a.serial < b.serial; });
  return all;
}

}  // namespace tutti::pvm

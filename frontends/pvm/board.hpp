// SPDX-License-Identifier: BSD-3-Clause
// The message mailbox of the machine (pvm_putinfo): named messages that any task may read. They lie
// in a shared record of fixed size, each in a chain of blocks. mailbox.cpp calls it.
#pragma once

#include <cstdint>
#include <mutex>
#include <string_view>
#include <vector>

#include "buffer.hpp"
#include "record_lock.hpp"

namespace tutti::pvm {

struct BoardEntry {
  static constexpr int name_bytes = 96;
  char name[name_bytes];
  bool used;
  int index, owner, flags;
  int tag, context, tid, bytes;
  int first_block;       // -1: none
  std::uint64_t serial;  // grows from one entry to the next
};

struct BoardRecord {
  static constexpr int entries = 512, blocks = 2048, block_bytes = 1024;
  RecordLock lock;
  bool prepared;
  int free_block;  // -1: none
  std::uint64_t serials;
  BoardEntry entry[entries];
  int next[blocks];
  std::byte block[blocks][block_bytes];
};

class Board {
 public:
  // Throws std::bad_alloc if there is no shared memory for the record.
  Board();

  // Returns the index of the entry, or an error.
  int put(std::string_view name, const MessageBuffer& message, int flags, int owner);
  // Returns the number of the new buffer, or an error.
  int receive(MessageBuffers& buffers, std::string_view name, int index, int flags, int reader);
  int remove(std::string_view name, int index, int remover);

  // Returns all entries, the oldest first.
  [[nodiscard]] std::vector<BoardEntry> list();

 private:
  // Takes the lock, and prepares what it guards: made, repaired, and without entries of the dead.
  [[nodiscard]] std::unique_lock<RecordLock> hold();
  // Makes the list of free blocks from the entries.
  void collect_free_blocks();
  // Removes entries of tasks that have ended, and disowns the persistent ones.
  void sweep();
  [[nodiscard]] BoardEntry* find(std::string_view name, int index);
  // The entry with the lowest index from `index` on.
  [[nodiscard]] BoardEntry* find_from(std::string_view name, int index);
  [[nodiscard]] bool may_change(const BoardEntry& entry, int tid) const;
  // Returns true if the message has room when `old` is removed.
  [[nodiscard]] bool fits(const MessageBuffer& message, const BoardEntry& old) const;
  [[nodiscard]] bool store(BoardEntry& entry, const MessageBuffer& message);
  void clear(BoardEntry& entry);
  [[nodiscard]] int add(std::string_view name, int index, const MessageBuffer& message, int flags,
                        int owner);
  [[nodiscard]] int put_at(std::string_view name, const MessageBuffer& message, int flags,
                           int owner, int index);

  BoardRecord* record_;
  std::int64_t departures_ = -1;  // departures of the job at the last sweep; -1: no sweep yet
};

}  // namespace tutti::pvm

// SPDX-License-Identifier: BSD-3-Clause
// The book of lent memory: words in the segment, by which others free what a process has lent and
// held when it has ended in whatever way. Each process writes the words of its slot, and after its
// end one cleaner. A process that is killed loses at most one block, and no block is freed twice:
// its word is cleared before.
#pragma once

#include <chrono>

#include "transport/shm/mapping.hpp"

namespace tutti::transport::shm {

// Header in front of every block that is lent. While the sender of a message lives, it frees the
// block when `readers` is 0. The last reader frees a block that has the mark `abandon`. Packets
// use only `took`, because rings say which packets are taken.
struct alignas(line_bytes) LentHeader {
  static constexpr std::uint32_t abandon = 1U << 31;
  // The sender puts it before it tells anybody, readers subtract, and the sender sees it.
  Shared<std::uint32_t> readers;
  // Number of those readers that were not told of the block yet. The sender puts it, and the
  // cleaner sees it.
  Shared<std::uint32_t> untold;
  std::uint64_t bytes;  // capacity, without this header
  // Number of bytes that can be read, for a message of kind_unwritten. The sender publishes it, the
  // receiver sees it.
  Shared<std::uint64_t> written;
  // The number of the block's part of its sender's ring, 0 if the block is of the heap. Readers
  // never free a part: it stays with the slot.
  std::uint32_t part;
  // If the packet is timed, how long it has taken to write and to read so far, in ns. While one of
  // them goes on, the time at which it began is missing.
  std::int64_t took;

  // These begin to count the time of a packet, and end it, once at the sender and once at the
  // reader.
  void begin_time() { took -= now(); }
  void end_time() { took += now(); }
  // Only the sender writes `untold`, so it needs no atomic subtraction.
  void count_told(std::uint32_t readers_told) {
    const std::uint32_t before = untold.peek();
    untold.put(before - readers_told);
  }
  // Takes readers off that will never be told.
  void withdraw(std::uint32_t unsent) {
    count_told(unsent);
    readers.subtract(unsent);
  }

 private:
  [[nodiscard]] static std::int64_t now() {
    return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
};

class LentBook {
 public:
  enum class Kind : std::uint64_t {
    sent = 1,  // a message outside of the ring: its last reader frees it
    in_ring,   // a message in the ring: who has the slot next takes it over
    held,      // a message of another process that this one has taken and not released
    block      // the slot's next process must not find it: it is freed before
  };
  using Word = Shared<std::uint64_t>;

  // `slot` is that of this process.
  LentBook(const Mapping& mapping, int slot)
      : mapping_(&mapping), table_(&mapping.endpoint(slot).lent), first_(table_) {}

  // Writes down a block. Returns nullptr if the job has no memory for one more table.
  [[nodiscard]] Word* add(std::uint64_t block, Kind kind);
  // Called before the block is freed: a word must never lead to one that has another owner.
  void remove(Word* word);

  // Calls visit(word, block) for each block of this kind.
  template <class Visit>
  static void for_each(const Mapping& mapping, int slot, Kind kind, const Visit& visit) {
    for (LentTable* table = &mapping.endpoint(slot).lent; table != nullptr;
         table = next_of(mapping, *table)) {
      for (Word& word : table->words) {
        const std::uint64_t found = word.see();
        if (found != 0 && found % line_bytes == static_cast<std::uint64_t>(kind))
          visit(word, found / line_bytes * line_bytes);
      }
    }
  }

 private:
  [[nodiscard]] static LentTable* next_of(const Mapping& mapping, const LentTable& table) {
    const std::uint64_t next = table.next.see();
    return next == 0 ? nullptr : mapping.at<LentTable>(next);
  }
  [[nodiscard]] Word* find_free();
  [[nodiscard]] bool add_table();

  const Mapping* mapping_;
  LentTable* table_;  // a word is looked for here first, from `at_` on
  LentTable* first_;
  int at_ = 0;
};

// Counts one reader of a message off: it has copied the message out, or never will.
void release_block(const Mapping& mapping, std::uint64_t block);
// Releases what the process of a slot holds, because it leaves or has ended, and leaves the
// messages that it has sent to their readers. Frees those that nobody will read any more. The last
// reader frees each of the others, but one in the ring stays with the slot. If the caller is killed
// meanwhile, another can call it again.
void abandon(const Mapping& mapping, int slot);
// Frees the blocks that the last process of the slot has left and that nobody reaches any more.
void free_blocks(const Mapping& mapping, int slot);

}  // namespace tutti::transport::shm

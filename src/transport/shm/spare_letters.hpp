// SPDX-License-Identifier: BSD-3-Clause
// Memory of letters that all readers have discarded. Of long and short ones the largest is kept (paper 000, 6.2.2: at most one ready
// buffer). Those in between take turns: memory that was written just now lies in the caches of both sides, and to write it
// again takes twice as long as to write what both have forgotten (docs/decisions/0039).
#pragma once

#include <vector>

#include "base/fifo.hpp"
#include "transport/shm/heap.hpp"
#include "transport/shm/queue.hpp"

namespace tutti::transport::shm {

// Of the heap: a LetterHeader, which says how many bytes follow, and those. Offset 0: none.
struct LetterBlock {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

class SpareLetters {
 public:
  // Takes over what a process that was killed in this slot has kept.
  SpareLetters(const Mapping& mapping, int self);

  [[nodiscard]] bool fits(std::uint64_t bytes) const;
  // At least so many bytes; offset 0 at the job's limit. Where the readers share a cache and many letters of a middle length are
  // sent, their blocks become more, until together they are larger than a second-level cache.
  [[nodiscard]] LetterBlock take(std::uint64_t bytes, bool shared_cache);
  // What was taken.
  void keep(const LetterBlock& block);
  // Frees them.
  void release();

 private:
  // With their headers: shorter ones stay in the first-level cache, longer ones do not stay in the second.
  static constexpr std::uint64_t smallest = 32 * 1024, most = 512 * 1024;
  static constexpr int sizes = 5;
  // New pages cost what some eight letters gain by turns. So turns and new blocks begin when so many windows of letters were
  // written, and then a block is new for so many letters.
  static constexpr std::uint64_t windows_before_growth = 8;
  static constexpr int between_growths = 4;
  // A size without a letter among so many makes room for others.
  static constexpr std::uint64_t out_of_use = 256;

  // Where the endpoint's record shows a block.
  static constexpr int places = Endpoint::spare_letters, place_of_largest = 0;
  static_assert(places - 2 >=
                most_arena_bytes / 4 * 3 / smallest);  // keep() is one block beyond the window for a moment

  struct Rested {
    LetterBlock block;
    int place = 0;
  };
  // Blocks that are as large with their headers: 32, 64, 128, 256 or 512 KiB.
  struct Size {
    base::Fifo<Rested> blocks{256};           // the one that has rested longest first
    std::uint64_t last_use = 0, written = 0;  // number of the last letter, bytes of all
  };

  [[nodiscard]] static bool takes_turns(std::uint64_t bytes) {
    return bytes + sizeof(LetterHeader) > smallest / 2 && bytes + sizeof(LetterHeader) <= most;
  }
  [[nodiscard]] static int size_of(std::uint64_t bytes);
  [[nodiscard]] int first_fitting(std::uint64_t bytes) const;
  [[nodiscard]] LetterBlock take_largest();
  [[nodiscard]] LetterBlock take_in_turn(std::uint64_t bytes, bool shared_cache);
  enum class Which : std::uint8_t { latest, most_rested };
  [[nodiscard]] LetterBlock take_one_of(Size& size, Which which);
  [[nodiscard]] LetterBlock allocate(std::uint64_t bytes);
  // The others make room for it.
  [[nodiscard]] LetterBlock allocate_or_release(std::uint64_t bytes);
  [[nodiscard]] bool many_written(const Size& size) const { return size.written >= windows_before_growth * window_; }
  [[nodiscard]] bool grows(const Size& size, std::uint64_t block_bytes);
  // Of those with a block.
  [[nodiscard]] Size* longest_unused();
  void free_one_of(Size& size);
  void rest(const LetterBlock& block);
  void free(const LetterBlock& block);

  const Mapping* mapping_;
  Heap heap_;
  std::atomic<std::uint64_t>* record_;
  std::vector<int> free_places_;
  std::uint64_t window_;
  LetterBlock largest_;
  Size in_turn_[sizes];
  std::uint64_t in_turn_bytes_ = 0, uses_ = 0;
  std::uint64_t out_bytes_ = 0;  // of blocks that are taken and come back to take turns
  int until_growth_ = between_growths;
};

}  // namespace tutti::transport::shm

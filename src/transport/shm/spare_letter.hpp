// SPDX-License-Identifier: BSD-3-Clause
// Of the memory of letters that all readers have discarded the largest block is kept (paper
// 000, 6.2.2: at most one ready buffer).
#pragma once

#include "transport/shm/heap.hpp"
#include "transport/shm/letter_block.hpp"

namespace tutti::transport::shm {

class SpareLetter {
 public:
  // Takes over what a process that was killed in this slot has kept.
  SpareLetter(const Mapping& mapping, int self);

  [[nodiscard]] bool fits(std::uint64_t bytes) const { return block_.bytes >= bytes; }
  // At least so many bytes; offset 0 at the job's limit.
  [[nodiscard]] LetterBlock take(std::uint64_t bytes);
  // What was taken.
  void keep(const LetterBlock& block);
  // Frees it.
  void release();

 private:
  [[nodiscard]] LetterBlock take_kept();
  void free(const LetterBlock& block);

  const Mapping* mapping_;
  std::atomic<std::uint64_t>*
      record_;  // if this process is killed, the next one in its slot has the block
  Heap heap_;
  LetterBlock block_;
};

}  // namespace tutti::transport::shm

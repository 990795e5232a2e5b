// SPDX-License-Identifier: BSD-3-Clause
// Memory in which the blocks of a process follow each other in a circle. What was written just now
// lies in the caches of both sides, and to write it again takes twice as long as to write what both
// have forgotten (decision 0041).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "block.hpp"

namespace tutti::bsp {

class Turns {
 public:
  // How much more than the second-level caches of two processors hold.
  static constexpr std::size_t circle_bytes = std::size_t{4} << 20;
  // A new page costs 2 us, as much as turns gain in writing six; so they begin when three times the
  // circle was written.
  static constexpr std::uint64_t written_before = 3 * circle_bytes;

  // Whether it pays for a stream of so many bytes: shorter ones stay in the first-level cache,
  // longer ones do not stay in the second.
  [[nodiscard]] static bool suit(std::size_t length) {
    return length >= 4 * 1024 && length <= 512 * 1024;
  }
  // A stream of that length was written.
  void written(std::size_t length) { written_ += length; }

  // A block with room for so many bytes of records. None, if turns do not pay yet or no memory is
  // left: its `block` is nullptr.
  [[nodiscard]] OwnBlock take(std::size_t capacity);
  // Nobody reads it any more.
  void give_back(const OwnBlock& block);

 private:
  struct Piece {
    std::size_t bytes;
    const StreamBlock* block;  // nullptr when it is free
  };
  bool have_circle();

  std::uint64_t written_ = 0;
  bool refused_ = false;  // the job's memory did not suffice
  Window<std::byte> circle_;
  std::uint64_t head_ = 0, tail_ = 0;  // bytes handed out and taken back since the beginning
  std::deque<Piece> pieces_;           // from tail_ to head_
};

}  // namespace tutti::bsp

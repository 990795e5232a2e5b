// SPDX-License-Identifier: BSD-3-Clause
// Records that are named by small numbers and used again: memory grows with the records in use, not
// with all there ever were. It grows by chunks, so records do not move and are never copied.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace tutti::simulate {

using Slot = std::uint32_t;
constexpr Slot no_slot = ~Slot{0};

template <class Record>
class Slab {
 public:
  // Returns a record that still holds the data of its last use.
  [[nodiscard]] Slot take() {
    if (!free_.empty()) {
      const Slot slot = free_.back();
      free_.pop_back();
      return slot;
    }
    if ((used_ & mask) == 0) chunks_.push_back(std::make_unique<Record[]>(mask + 1));
    return used_++;
  }
  void give(Slot slot) { free_.push_back(slot); }

  Record& operator[](Slot slot) { return chunks_[slot >> bits][slot & mask]; }
  const Record& operator[](Slot slot) const { return chunks_[slot >> bits][slot & mask]; }
  // Returns a bound: all slots ever taken are below.
  [[nodiscard]] Slot end() const { return used_; }

 private:
  static constexpr unsigned bits = 9;
  static constexpr Slot mask = (Slot{1} << bits) - 1;

  std::vector<std::unique_ptr<Record[]>> chunks_;
  std::vector<Slot> free_;
  Slot used_ = 0;
};

}  // namespace tutti::simulate

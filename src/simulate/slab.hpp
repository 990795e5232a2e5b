// SPDX-License-Identifier: BSD-3-Clause
// Records with short names that are used again: what is in flight costs memory, what is over does
// not. Grows by chunks, so records do not move and there is never a second copy.
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
  // What the record holds is left over from its last use.
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
  // All slots ever taken are below.
  [[nodiscard]] Slot end() const { return used_; }

 private:
  static constexpr unsigned bits = 9;
  static constexpr Slot mask = (Slot{1} << bits) - 1;

  std::vector<std::unique_ptr<Record[]>> chunks_;
  std::vector<Slot> free_;
  Slot used_ = 0;
};

}  // namespace tutti::simulate

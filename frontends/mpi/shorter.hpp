// SPDX-License-Identifier: BSD-3-Clause
// Results that are shorter than the room for them. MPI's programs may give longer receive buffers
// than they are sent; the rest of a buffer stays as it is.
#pragma once

#include <atomic>

#include "job.hpp"

namespace tutti::mpi {

// Tells what the call in which it lives has received. `output` is where tutti puts the result,
// which has a block for each of `ranks` ranks if tutti tells of all of them together.
class Receipt {
 public:
  explicit Receipt(const void* output, int ranks = 1) : output_(output), ranks_(ranks) {
    if (is_any()) [[unlikely]]
      forget();  // what another call, which did not ask, has received at this address
  }
  ~Receipt() {
    if (is_any()) [[unlikely]]
      forget();
  }
  Receipt(const Receipt&) = delete;
  Receipt& operator=(const Receipt&) = delete;

  // Returns the bytes of the result, or of one rank's block in it: `room`, unless less has come.
  [[nodiscard]] Count whole(Count room) const { return block(any, room); }
  [[nodiscard]] Count block(int rank, Count room) const {
    return is_any() ? found(rank, room) : room;
  }

 private:
  static constexpr int any = -1;

  // True if a result of this process has been shorter than its room, maybe that of this call.
  [[nodiscard]] static bool is_any() { return notes.load(std::memory_order_relaxed) > 0; }
  friend void set_up_shorter();
  static void note(void*, const void* output, int block, std::int64_t bytes);
  [[nodiscard]] Count found(int block, Count room) const;
  void forget() const;

  static std::atomic<int> notes;
  const void* output_;
  int ranks_;
};

// From now on, receivers may have more room than they are sent.
void set_up_shorter();

}  // namespace tutti::mpi

// SPDX-License-Identifier: BSD-3-Clause
// Measures how long the calls of BSPlib in a superstep take, for the profile. Reading the clock
// takes longer than most calls. So only the first calls are timed one by one, and then a random
// sample. Timing every call would also stop the processor from overlapping a call with the code
// around it, and count that loss as computation.
#pragma once

#include <cstdint>

namespace tutti::bsp {

class CallClock {
 public:
  CallClock();

  // Reads the processor's counter if there is one, because a call of the system's clock takes as
  // long as a put.
  [[nodiscard, gnu::noinline]] static std::uint64_t ticks();

  // Counts a call that begins. Returns true if it is to be timed.
  bool takes_next() {
    if (++calls_ <= first_timed) return true;
    if (--until_next_ > 0) return false;
    until_next_ = gap();
    return true;
  }
  // Ends a timed call.
  [[gnu::noinline]] void add(std::uint64_t begun);
  // Returns the ticks of all calls since the last clear(), including the readings of the clock.
  [[nodiscard]] double spent() const;
  void clear();

 private:
  static constexpr std::uint64_t first_timed = 32;
  [[nodiscard]] int gap();
  void calibrate_timed();
  void calibrate_counted();

  std::uint64_t calls_ = 0, chance_ = 1;
  std::uint64_t first_ticks_ = 0, first_ = 0, later_ticks_ = 0, later_ = 0;
  int until_next_ = 1;
  double empty_ = 0,
         around_ = 0;   // ticks an empty timed call seems to take, and ticks it costs beyond that
  double passing_ = 0;  // ticks that counting an untimed call costs
};

}  // namespace tutti::bsp

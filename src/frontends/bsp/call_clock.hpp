// SPDX-License-Identifier: BSD-3-Clause
// How long the calls of BSPlib in a superstep took, though looking at the clock takes longer than
// most of them: the first ones are timed one by one, of the others some, taken at random. To time
// all would also keep the processor from working on a call and on what surrounds it at once, and
// count what it then lost as computation.
#pragma once

#include <cstdint>

namespace tutti::bsp {

class CallClock {
 public:
  CallClock();

  // Of the processor's counter where there is one, as a call of the clock takes as long as a put.
  [[nodiscard, gnu::noinline]] static std::uint64_t ticks();

  // A call begins: whether it is to be timed.
  bool takes_next() {
    if (++calls_ <= first_timed) return true;
    if (--until_next_ > 0) return false;
    until_next_ = gap();
    return true;
  }
  // A timed call is done.
  [[gnu::noinline]] void add(std::uint64_t begun);
  // Ticks of the calls since the last clear(), those of looking at the clock with them.
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
         around_ =
             0;  // what a call seems to take that does nothing, and what that costs outside of it
  double passing_ = 0;  // what it costs to count a call that is not timed
};

}  // namespace tutti::bsp

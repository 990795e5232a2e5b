// SPDX-License-Identifier: BSD-3-Clause
// The clock of a job: the only one that deadlines, patience, limits of waits and the front ends
// read. A transport gives it, so that a job in another time needs only another clock. Measurements
// of the machine itself, such as the time of a copy or of a pause, read the machine's clock.
#pragma once

#include <cstdint>

namespace tutti::transport {

class Clock {
 public:
  // Returns nanoseconds since some moment; they never go back.
  [[nodiscard]] virtual std::uint64_t now() const = 0;

 protected:
  ~Clock() = default;  // nobody owns a clock by this interface
};

// Returns the machine's steady clock.
[[nodiscard]] const Clock& steady_clock();

// Returns `seconds` from now on this clock, or `never` if that is too far away to be reached.
constexpr std::uint64_t never = ~std::uint64_t{0};
[[nodiscard]] std::uint64_t time_in(const Clock& clock, double seconds);

}  // namespace tutti::transport

// SPDX-License-Identifier: BSD-3-Clause
// Implements the machine's clock, and deadlines.
#include "transport/clock.hpp"

#include <chrono>

namespace tutti::transport {
namespace {

class SteadyClock final : public Clock {
 public:
  std::uint64_t now() const override {
    return static_cast<std::uint64_t>(
        std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
  }
};

}  // namespace

const Clock& steady_clock() {
  static constexpr SteadyClock clock;
  return clock;
}

std::uint64_t time_in(const Clock& clock, double seconds) {
  constexpr double longest = 1e9;  // in seconds: 30 years, which the number of ns holds
  if (!(seconds <= longest)) return never;
  return clock.now() + static_cast<std::uint64_t>(seconds > 0 ? seconds * 1e9 : 0);
}

}  // namespace tutti::transport

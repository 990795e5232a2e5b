// SPDX-License-Identifier: BSD-3-Clause
// The clock of predictions, which measures computation.
#pragma once

#include <chrono>
#include <ctime>

namespace support {

// If processes share processors, real time goes on while another process has the processor. So the
// clock then counts the time that this process has had one.
class ProcessorClock {
 public:
  explicit ProcessorClock(bool shared) : shared_(shared) {}

  [[nodiscard]] double now() const {
    if (!shared_) {
      const auto time = std::chrono::steady_clock::now().time_since_epoch();
      return std::chrono::duration<double>(time).count();
    }
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

 private:
  bool shared_;
};

}  // namespace support

// SPDX-License-Identifier: BSD-3-Clause
// Measures how much time of this process each part of the work takes.
#pragma once

#include <array>
#include <chrono>

namespace lu {

enum class Part { panel, exchange, broadcast, solve_rows, update, count };

class Stopwatch {
 public:
  // Runs something and adds its time to a part.
  template <class Work>
  void run(Part part, const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    seconds_[static_cast<std::size_t>(part)] += taken.count();
  }
  [[nodiscard]] double seconds(Part part) const { return seconds_[static_cast<std::size_t>(part)]; }

 private:
  std::array<double, static_cast<std::size_t>(Part::count)> seconds_{};
};

}  // namespace lu

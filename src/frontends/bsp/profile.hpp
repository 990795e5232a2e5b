// SPDX-License-Identifier: BSD-3-Clause
// What each superstep computed and communicated, written to a file when the program ends (TUTTI_BSP_PROFILE).
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace tutti::bsp {

struct Machine;

// What a process exchanged with others in a superstep; itself does not count.
struct Volume {
  std::uint64_t bytes_out = 0, bytes_in = 0;
  std::uint64_t messages = 0;  // puts, gets and sends
};

class Profile {
 public:
  explicit Profile(std::string file) : file_(std::move(file)) {}

  // bsp_sync has begun, and is done.
  void arrive();
  void leave(const Volume& volume, std::uint64_t site);
  // All processes; process 0 writes.
  void write(const Machine& machine);

 private:
  using Clock = std::chrono::steady_clock;
  // All numbers are doubles, so that they travel as one array.
  struct Step {
    double compute, sync, bytes_out, bytes_in, messages, site;
  };
  [[nodiscard]] std::string line_of(const std::vector<Step>& all, std::size_t step) const;

  std::string file_;
  Clock::time_point left_ = Clock::now(), arrived_;
  std::vector<Step> steps_;
};

}  // namespace tutti::bsp

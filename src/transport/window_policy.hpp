// SPDX-License-Identifier: BSD-3-Clause
// Chooses in how much of its ring a sender's fragments take turns. A short part stays in the caches
// of writer and reader; in a long one the lines have left the writer's cache before they are
// written again. The faster length depends on the processor, so those beside the present one are
// tried now and then (docs/internals/long-vectors.md). The cost of a length shows only after one
// turn, so a trial lasts two turns and the times of the second count.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/tuning.hpp"
#include "transport/trials.hpp"

namespace tutti::transport {

class WindowPolicy {
 public:
  static constexpr std::uint8_t none = 255;  // of no part

  // The ring has ring_bytes.
  WindowPolicy(const base::Tuning& tuning, std::uint64_t ring_bytes);

  // The part of the ring that is in use now, in bytes.
  [[nodiscard]] std::uint64_t bytes() const { return lengths_[now_].bytes; }
  // Names the present part for learn().
  [[nodiscard]] std::uint8_t number() const { return now_; }
  // Returns true in the second turn of a trial, when each time counts.
  [[nodiscard]] bool looks() const { return turns_left_ == 1; }
  // Called when all of the part has been used once.
  void turn_ends();
  // Records what a packet has cost that was lent while the part of this number was in use.
  void learn(std::uint8_t number, double ns_per_byte);

 private:
  struct Length {
    std::uint64_t bytes = 0;
    double cost = 0;  // running mean in ns per byte; 0: not known yet
    int samples = 0;
  };
  [[nodiscard]] double loss() const;

  const base::Tuning* tuning_;
  std::array<Length, 3> lengths_{};
  std::uint8_t count_ = 0, best_ = 0, now_ = 0, tried_ = 0;
  int turns_left_ = 0;  // of the trial that goes on
  Trials trials_;
};

}  // namespace tutti::transport

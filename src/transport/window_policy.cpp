// SPDX-License-Identifier: BSD-3-Clause
// Compares the present length with half and twice of it.
#include "transport/window_policy.hpp"

#include <algorithm>

namespace tutti::transport {
namespace {

constexpr std::int64_t turns_of_trial = 2;
// A length must be better by so much, after so many samples, because times of packets differ by
// more than that without any reason.
constexpr double clearly = 0.96;
constexpr int enough_samples = 4;

}  // namespace

WindowPolicy::WindowPolicy(const base::Tuning& tuning, std::uint64_t ring_bytes)
    : tuning_(&tuning), trials_(turns_of_trial) {
  const auto wanted = static_cast<std::uint64_t>(tuning.fragment_window);
  const std::uint64_t first = wanted == 0 ? ring_bytes : std::min(wanted, ring_bytes);
  const auto least = 4 * static_cast<std::uint64_t>(tuning.fragment);
  for (const std::uint64_t bytes : {first, first / 2, 2 * first}) {
    if (bytes == first || (bytes >= least && bytes <= ring_bytes)) lengths_[count_++].bytes = bytes;
  }
}

// The loss of the length that was tried last.
double WindowPolicy::loss() const {
  const double best = lengths_[best_].cost, tried = lengths_[tried_].cost;
  return best == 0 || tried == 0 ? 0 : std::max(tried / best - 1, 0.0);
}

void WindowPolicy::turn_ends() {
  if (turns_left_ > 0) {
    if (--turns_left_ == 0) now_ = best_;
    return;
  }
  if (count_ == 1 || !trials_.due(*tuning_, loss())) return;
  tried_ = static_cast<std::uint8_t>((tried_ + 1) % count_);
  if (tried_ == best_) tried_ = static_cast<std::uint8_t>((tried_ + 1) % count_);
  now_ = tried_;
  turns_left_ = turns_of_trial;
}

void WindowPolicy::learn(std::uint8_t number, double ns_per_byte) {
  Length& length = lengths_[number];
  learn_mean(length.cost, *tuning_, ns_per_byte);
  length.samples = std::min(length.samples + 1, enough_samples);
  const Length& best = lengths_[best_];
  if (number == best_ || best.samples < enough_samples || length.samples < enough_samples ||
      length.cost > clearly * best.cost)
    return;
  if (turns_left_ == 0) now_ = number;
  best_ = number;
  trials_.begin_anew();
}

}  // namespace tutti::transport

// SPDX-License-Identifier: BSD-3-Clause
// Tries both ways in turn at first, and later the worse one now and then.
#include "transport/store_policy.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

namespace tutti::transport {
namespace {

constexpr std::uint64_t sample_bytes = std::uint64_t{64} << 10;
constexpr std::uint64_t bytes_between_samples = 32 * sample_bytes;
// For shorter copies, reading the clock would take longer than the copy.
constexpr std::uint64_t least_timed = 1024;

}  // namespace

void PeerDistance::count(const base::Tuning& tuning, std::chrono::nanoseconds taken) {
  until_next_ = static_cast<std::int32_t>(tuning.far_look_every);
  const bool far = taken > std::chrono::nanoseconds(tuning.far_line);
  score_ = std::clamp(score_ + (far ? 1 : -1), 0, static_cast<std::int32_t>(tuning.far_score));
}

StorePolicy::Size& StorePolicy::size_of(std::uint32_t bytes) {
  const auto kibibytes =
      static_cast<int>(std::bit_width((std::max(bytes, std::uint32_t{1}) - 1) >> 10));
  return sizes_[static_cast<std::size_t>(
      std::clamp(kibibytes - 2, 0, static_cast<int>(std::size(sizes_)) - 1))];
}

bool StorePolicy::past_is_better(const Size& size) const {
  if (size.past == 0 || size.through == 0) return tuning_->far_past_caches != 0;
  return size.past <= size.through;
}

StorePolicy::Choice StorePolicy::learned(Size& size) {
  const bool better = past_is_better(size);
  const std::int64_t number = size.packets++;
  if (number < tuning_->learn_first)
    return {.non_temporal = (number % 2 == 0) == (tuning_->far_past_caches != 0), .timed = true};
  const auto [least, most] = std::minmax(size.past, size.through);
  if (size.trials.due(*tuning_, least == 0 ? 0 : most / least - 1))
    return {.non_temporal = !better, .timed = true};
  return {
      .non_temporal = better, .timed = number % tuning_->learn_look_every == 0, .typical = true};
}

void StorePolicy::learn(std::uint32_t bytes, bool non_temporal, std::chrono::nanoseconds taken) {
  Size& size = size_of(bytes);
  const bool past_was_better = past_is_better(size);
  const double sample = static_cast<double>(taken.count()) / std::max(bytes, std::uint32_t{1});
  learn_mean(non_temporal ? size.past : size.through, *tuning_, sample);
  const double better = past_was_better ? size.past : size.through;
  const bool contradicts = non_temporal != past_was_better && sample < better;
  if (contradicts || past_is_better(size) != past_was_better) size.trials.begin_anew();
}

StorePolicy::Choice StorePolicy::for_window(std::uint64_t bytes) {
  if (bytes < least_timed) return {};
  if (sampled_ != 0 || since_sample_ >= bytes_between_samples) return {.timed = true};
  since_sample_ += bytes;
  return {.non_temporal = windows_past_};
}

void StorePolicy::learn_window(std::uint64_t bytes, std::chrono::nanoseconds taken) {
  sample_took_ += taken;
  sampled_ += bytes;
  if (sampled_ < sample_bytes) return;
  windows_past_ = static_cast<std::uint64_t>(sample_took_.count() * tuning_->block_slow) > sampled_;
  since_sample_ = sampled_ = 0;
  sample_took_ = {};
}

}  // namespace tutti::transport

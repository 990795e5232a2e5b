// SPDX-License-Identifier: BSD-3-Clause
// Decides how data is stored: through the caches, or past them by non-temporal stores. For a reader
// with other caches, processors and lengths differ by a factor of two in either direction, so the
// faster way is learned from measured times (docs/internals/shared-memory.md, "Non-temporal stores
// for far readers"). Results that no cache can hold are stored past them, too.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/tuning.hpp"
#include "transport/shared.hpp"
#include "transport/trials.hpp"

namespace tutti::transport {

// Estimates whether one peer is near or far, from the time that a line takes to come that the peer
// has just written. A virtual machine may move its processors at any time, so the estimate never
// ends. The writer to the peer keeps it.
class PeerDistance {
 public:
  // Loads `number` and times the load now and then. The time counts only if `is_new` says that the
  // peer has written the number since the last load, because an older line may lie in this
  // processor's cache.
  template <class Number, class IsNew>
  Number load(const base::Tuning& tuning, const Shared<Number>& number, const IsNew& is_new) {
    if (--until_next_ > 0) return number.see();
    const auto begun = std::chrono::steady_clock::now();
    const Number found = number.see();
    const auto taken = std::chrono::steady_clock::now() - begun;
    if (is_new(found)) count(tuning, taken);
    return found;
  }
  [[nodiscard]] bool is_far(const base::Tuning& tuning) const {
    return score_ > tuning.far_score / 2;
  }

 private:
  void count(const base::Tuning& tuning, std::chrono::nanoseconds taken);

  std::int32_t until_next_ = 1;
  std::int32_t score_ = 0;  // goes up with each line that comes from far, down with each other one
};

class StorePolicy {
 public:
  explicit StorePolicy(const base::Tuning& tuning) : tuning_(&tuning) {}

  struct Choice {
    bool non_temporal = false;
    bool timed = false;  // report the time to learn()
    // The packet is one of the longest and goes the usual way, so its time tells windows apart.
    bool typical = false;
  };
  // Chooses the way of the next packet of a collective. Only the time of a packet that has one
  // reader says how far that reader is. The others go the way that is known to be better.
  [[nodiscard]] Choice for_packet(std::uint32_t bytes, std::uint32_t readers,
                                  const PeerDistance& first) {
    if (!first.is_far(*tuning_)) return {};
    Size& size = size_of(bytes);
    if (readers != 1) return {past_is_better(size)};
    Choice choice = learned(size);
    choice.typical = choice.typical && 2 * std::int64_t{bytes} > tuning_->fragment;
    return choice;
  }
  // Records how long a packet of `bytes` took to write and to read.
  void learn(std::uint32_t bytes, bool non_temporal, std::chrono::nanoseconds taken);

  // Chooses the way of a copy into a window. A copy that is timed goes through the caches. If that
  // was slow, the next ones go past them: nobody knows who reads the window.
  [[nodiscard]] Choice for_window(std::uint64_t bytes);
  void learn_window(std::uint64_t bytes, std::chrono::nanoseconds taken);

  // These return true if the data is better stored past the caches: a message for a peer, a
  // process's own data that is copied into a result, and received data. Short messages are not:
  // waiting until they have reached memory takes longer than fetching them out of these caches.
  [[nodiscard]] bool message_past_caches(std::uint64_t bytes, const PeerDistance& first) const {
    return tuning_->far_past_caches != 0 &&
           bytes > static_cast<std::uint64_t>(tuning_->non_temporal_from) && first.is_far(*tuning_);
  }
  [[nodiscard]] static bool copied_past_caches(std::uint64_t bytes, const base::Tuning& tuning) {
    return bytes >= static_cast<std::uint64_t>(tuning.result_past_caches);
  }
  [[nodiscard]] static bool received_past_caches(std::uint64_t bytes, const base::Tuning& tuning) {
    return bytes >= static_cast<std::uint64_t>(tuning.message_past_caches);
  }

 private:
  // Times of packets of one size class: up to 4, 8, 16, 32, 64 KiB, or longer.
  struct Size {
    double through = 0, past = 0;  // running means in ns per byte; 0: no sample yet
    std::int64_t packets = 0;
    Trials trials{};
  };
  [[nodiscard]] Size& size_of(std::uint32_t bytes);
  [[nodiscard]] bool past_is_better(const Size& size) const;
  [[nodiscard]] Choice learned(Size& size);

  const base::Tuning* tuning_;
  Size sizes_[6];
  // For windows, bytes since the last sample, and of the sample that is being taken.
  bool windows_past_ = false;
  std::uint64_t since_sample_ = 0, sampled_ = 0;
  std::chrono::nanoseconds sample_took_{};
};

}  // namespace tutti::transport

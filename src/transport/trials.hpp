// SPDX-License-Identifier: BSD-3-Clause
// Says when a way that was the worse one is tried again. Each trial that confirms it doubles the
// number of uses until the next one. Trials are so rare that their share of all uses, times what
// the worse way loses, is at most what the tuning table allows.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/tuning.hpp"

namespace tutti::transport {

// Moves a running mean towards a new sample. An outlier counts for little more than the mean.
inline void learn_mean(double& mean, const base::Tuning& tuning, double sample) {
  constexpr double per_mille = 0.001;
  const double share = static_cast<double>(tuning.learn_share) * per_mille;
  const double most = static_cast<double>(tuning.learn_most) * per_mille * mean;
  mean = mean == 0 ? sample : mean + share * (std::min(sample, most) - mean);
}

class Trials {
 public:
  explicit Trials(std::int64_t uses_of_trial = 1) : uses_of_trial_(uses_of_trial) {}

  // Counts one use. Returns true if it is time for a trial. `loss` is the time that the worse way
  // takes more, as a share of that of the better one.
  [[nodiscard]] bool due(const base::Tuning& tuning, double loss) {
    if (gap_ == 0) wait(tuning.learn_again);
    if (--left_ > 0) return false;
    constexpr double per_mille = 0.001;
    const double allowed = static_cast<double>(tuning.learn_loss) * per_mille;
    const auto for_loss = static_cast<std::int64_t>(
        std::min(static_cast<double>(uses_of_trial_) * loss / allowed, most_uses));
    wait(std::max(std::min(2 * gap_, tuning.learn_again_most), for_loss));
    return true;
  }
  // Called when the worse way has become the better one: nothing is known for long.
  void begin_anew() { gap_ = 0; }

 private:
  static constexpr double most_uses = 1e9;

  void wait(std::int64_t uses) { left_ = gap_ = uses; }

  std::int64_t uses_of_trial_;
  std::int64_t gap_ = 0, left_ = 0;  // uses between the last trial and the next; 0: not known yet
};

}  // namespace tutti::transport

// SPDX-License-Identifier: BSD-3-Clause
// Prices the alternatives of one question: by the formulas of their headers, and by counting where
// messages meet (contention.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "selection/alternatives.hpp"

namespace tutti::selection {

class Pricing {
 public:
  // Both must live as long as the pricing.
  Pricing(const Question& question, const Sharing& sharing);

  // Sets what the header, or the strategy of a hybrid, says of the cost. Where messages are counted
  // this is a lower bound, and the basis is `at_least`. Returns false if the generator has no
  // header and so no price.
  [[nodiscard]] bool state(Alternative& a) const;

  // Returns true if messages are counted.
  [[nodiscard]] bool counts() const { return ways_ != nullptr; }
  // Counts the messages of an alternative if they are few, in the sense of `most`. Returns how many
  // steps that took.
  std::int64_t count(Alternative& a, std::int64_t most) const;
  // Counts those first that may be the best, as long as most_counted() allows.
  void count_all(std::vector<Alternative>& all) const;

  // Returns for which ratios of the speed of a link to that of a port the best hybrids are
  // candidates.
  [[nodiscard]] std::vector<double> kappas() const;
  [[nodiscard]] const RemoteRates& remote() const { return sharing_.remote; }

 private:
  [[nodiscard]] double least_start() const;
  void state_hybrid(Alternative& a) const;
  std::int64_t count_for_size(std::vector<Alternative>& all, std::int64_t most) const;

  const Question& question_;
  const Sharing& sharing_;
  std::unique_ptr<machine::Topology> mesh_;
  std::unique_ptr<Ways> ways_;
};

}  // namespace tutti::selection

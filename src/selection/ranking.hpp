// SPDX-License-Identifier: BSD-3-Clause
// Finds the best alternative at each size: the lower envelope of their lines, found once for a
// question and looked up by binary search.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "machine/profile.hpp"
#include "selection/alternatives.hpp"
#include "selection/strategies.hpp"

namespace tutti::selection {

[[nodiscard]] Rates rates_of(const machine::Profile& profile);

class Ranking {
 public:
  // Empty if there are no alternatives.
  Ranking(std::vector<Alternative> alternatives, const Rates& rates);

  [[nodiscard]] bool empty() const { return pieces_.empty(); }
  // `line` of a piece is an index here.
  [[nodiscard]] std::span<const Alternative> alternatives() const { return alternatives_; }
  [[nodiscard]] std::span<const EnvelopePiece> pieces() const { return pieces_; }
  // The best one for so many bytes of the whole vector.
  [[nodiscard]] const Alternative& best(double bytes) const;

 private:
  std::vector<Alternative> alternatives_;
  std::vector<EnvelopePiece> pieces_;
};

// Rankings by one machine, kept from the first question on. Several threads must not use it at
// once.
class Rankings {
 public:
  explicit Rankings(const machine::Profile& profile)
      : rates_(rates_of(profile)), kappa_(profile.kappa.value), remote_(remote_rates_of(profile)) {}

  // From the alternatives that are not rejected.
  const Ranking& of(const Question& question);

 private:
  Rates rates_;
  double kappa_;
  RemoteRates remote_;
  std::map<Question, Ranking> known_;
};

}  // namespace tutti::selection

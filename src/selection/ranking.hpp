// SPDX-License-Identifier: BSD-3-Clause
// The best alternative at each size: the lower envelope of their lines. It is found once for a
// question and searched by bisection whenever the model has to choose.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "machine/profile.hpp"
#include "selection/alternatives.hpp"
#include "selection/strategies.hpp"

namespace tutti::selection {

class Ranking {
 public:
  // The ranking is empty if there are no alternatives.
  Ranking(std::vector<Alternative> alternatives, const Rates& rates);

  [[nodiscard]] bool empty() const { return pieces_.empty(); }
  // The alternatives of the ranking. EnvelopePiece::line is an index here.
  [[nodiscard]] std::span<const Alternative> alternatives() const { return alternatives_; }
  [[nodiscard]] std::span<const EnvelopePiece> pieces() const { return pieces_; }
  // Returns the best alternative for `bytes` bytes of the whole vector.
  [[nodiscard]] const Alternative& best(double bytes) const;

 private:
  std::vector<Alternative> alternatives_;
  std::vector<EnvelopePiece> pieces_;
};

// The rankings of one machine, each kept from the first time it is asked for. Only one thread at a
// time may use them.
class Rankings {
 public:
  // The ranks lie on the first nodes of the network, if there is one.
  explicit Rankings(const machine::Profile& profile, const machine::Topology* network = nullptr)
      : sharing_(sharing_of(profile, network)) {}

  // Returns the ranking of the alternatives that are not rejected. Those that were not counted are
  // left out if others were.
  const Ranking& of(const Question& question);

 private:
  Sharing sharing_;
  std::map<Question, Ranking> known_;
};

}  // namespace tutti::selection

// SPDX-License-Identifier: BSD-3-Clause
// An operation of a job while it is simulated. It binds each round when a member asks for it, so
// memory does not grow with rounds. The rounds of a generator are those of the normal form, which
// the engine executes.
#pragma once

#include <vector>

#include "schedule/forward.hpp"
#include "simulate/bound.hpp"
#include "simulate/sizes.hpp"

namespace tutti::simulate {

[[nodiscard]] int rounds_of(const JobOperation& operation);

class Running : public BoundOperation {
 public:
  explicit Running(const JobOperation& operation);

  [[nodiscard]] int rounds(int /* member */) const override { return rounds_; }
  void read(NodeRound& round, int member, int t) override;

  [[nodiscard]] int node(int member) const {
    return operation_.nodes.empty() ? member : operation_.nodes[static_cast<std::size_t>(member)];
  }

 private:
  using Copies = std::vector<schedule::Forwarded>;
  [[nodiscard]] const schedule::Round& written(int member, int t);
  void forward(const schedule::Round& first, int member);
  [[nodiscard]] bool vanishes(std::size_t place, int t) const;
  [[nodiscard]] bool passes_on(const schedule::Op& send, int member, int t) const;
  void put_in_nodes(NodeRound& round) const;

  const JobOperation& operation_;
  int rounds_;
  Sizes sizes_;
  schedule::Round scratch_;
  Copies vanished_;             // of the member that has just begun
  std::vector<Copies> kept_{};  // by member, if receives are posted ahead and any copy vanishes
};

}  // namespace tutti::simulate

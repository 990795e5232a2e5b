// SPDX-License-Identifier: BSD-3-Clause
// The phases of a job as items of its ranks.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "simulate/rank_source.hpp"
#include "simulate/running.hpp"

namespace tutti::simulate {

// The operations of a phase are prepared when the first node reaches it, and dropped when the last
// has left it.
class JobSource : public RankSource {
 public:
  // Throws Error(invalid_argument) if the job makes no sense on the machine.
  JobSource(const SimulatedJob& job, int nodes_of_machine);

  [[nodiscard]] int nodes() const override { return nodes_; }
  RankItem next(int node) override;

 private:
  // The part of a node in a phase.
  struct Part {
    int operation = -1;  // -1: it takes part in none
    int member = -1;
  };
  struct Prepared {
    std::deque<Running> running;
    std::vector<Part> parts;  // by node; empty if the only group has the ranks' own numbers
    int inside = 0;
  };
  [[nodiscard]] std::unique_ptr<Prepared> prepared(const Operations& operations) const;
  [[nodiscard]] static Part part(const Prepared& prepared, int node);
  void leave(int phase);

  const SimulatedJob& job_;
  int nodes_;
  std::vector<int> phase_;  // by node: phase that it is in
  std::vector<std::unique_ptr<Prepared>> prepared_;
};

}  // namespace tutti::simulate

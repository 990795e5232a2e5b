// SPDX-License-Identifier: BSD-3-Clause
// The phases of a job, prepared for the ranks: which operation a node takes part in, and what it
// does in a round.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "simulate/job.hpp"
#include "simulate/sizes.hpp"

namespace tutti::simulate {

// An operation that is being simulated.
class Running {
 public:
  explicit Running(const JobOperation& operation);

  [[nodiscard]] const JobOperation& operation() const { return operation_; }
  [[nodiscard]] const Sizes& sizes() const { return sizes_; }
  [[nodiscard]] int rounds() const { return rounds_; }
  [[nodiscard]] int node(int member) const {
    return operation_.nodes.empty() ? member : operation_.nodes[static_cast<std::size_t>(member)];
  }
  // Returns what the member waits for before it begins the round.
  [[nodiscard]] std::span<const MemberWait> waits(int member, int round) const;
  // Returns a round of a member, valid until the next call with this `scratch`.
  [[nodiscard]] const schedule::Round& round(int member, int t, schedule::Round& scratch) const;

 private:
  const JobOperation& operation_;
  int rounds_;
  Sizes sizes_;
  std::vector<MemberWait> waits_;  // by member and round
};

// A phase is prepared when the first node reaches it, and dropped when the last has left it.
class Phases {
 public:
  // Throws Error(invalid_argument) if the job makes no sense on the machine.
  Phases(const SimulatedJob& job, int nodes_of_machine);

  [[nodiscard]] int nodes() const { return nodes_; }
  [[nodiscard]] int count() const { return static_cast<int>(job_.phases.size()); }
  [[nodiscard]] const Phase& operator[](int phase) const {
    return job_.phases[static_cast<std::size_t>(phase)];
  }

  // Number of rounds in all phases before this one.
  [[nodiscard]] std::int64_t first_round(int phase) const {
    return first_round_[static_cast<std::size_t>(phase)];
  }

  struct Part {
    const Running* running = nullptr;  // nullptr if the node takes part in none
    int member = -1;
  };
  [[nodiscard]] Part part(int phase, int node);
  void left(int phase);

 private:
  struct Ready {
    std::vector<Running> running;
    std::vector<Part> parts;  // by node; empty if the only group has the ranks' own numbers
    int inside = 0;
  };
  void make_ready(Ready& ready, const Operations& operations) const;

  const SimulatedJob& job_;
  int nodes_;
  std::vector<std::unique_ptr<Ready>> ready_;
  std::vector<std::int64_t> first_round_;
};

}  // namespace tutti::simulate

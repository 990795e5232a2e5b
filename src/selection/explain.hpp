// SPDX-License-Identifier: BSD-3-Clause
// Why an algorithm is chosen on a machine: everything that could serve the call, with the terms of
// its cost, and for all but the fastest the reason why not. The terms are those that the choice is
// made by.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "machine/profile.hpp"
#include "selection/alternatives.hpp"
#include "selection/policy.hpp"
#include "selection/strategies.hpp"

namespace tutti::selection {

struct Row {
  Alternative alternative;
  double time = 0;  // us
  std::string why;  // why it lost; empty for the winner
};

// An algorithm that must not serve the call, and the reason.
struct Refused {
  std::string name;
  std::string why;
};

struct Explanation {
  Question question;
  std::int64_t bytes = 0;  // of the whole vector
  machine::Profile machine;
  std::vector<Row> rows;              // the fastest first; empty if nothing may serve the call
  std::vector<Refused> refused;       // by name
  std::vector<EnvelopePiece> pieces;  // the fastest row in each range of sizes
};

// `network`: see Sharing.
[[nodiscard]] Explanation explain(const Question& question, std::int64_t bytes,
                                  const machine::Profile& machine,
                                  const machine::Topology* network = nullptr);

// One plan in the terms of an explanation that was made with the same network. Throws
// Error(no_such_plan) if it may not serve the call or has no price.
[[nodiscard]] Row row_of(const Forced& plan, const Explanation& explanation,
                         const machine::Topology* network = nullptr);

// Returns the difference between the times of two lines, as in "start-ups +80.3 ms, traffic -2.1
// ms".
[[nodiscard]] std::string difference(const Terms& loser, const Terms& winner, const Rates& rates,
                                     double bytes);

// "12.5 us", "3.06 ms"; "64 KiB", "1000 B".
[[nodiscard]] std::string time_text(double microseconds);
[[nodiscard]] std::string bytes_text(double bytes);

}  // namespace tutti::selection

// SPDX-License-Identifier: BSD-3-Clause
// Explains why an algorithm is chosen on a machine. An explanation has everything that could serve
// the call, with the terms of its cost, and for all but the fastest the reason why not. The choice
// is made by the same terms: on one host by the price in shared memory, else by alpha, beta and
// gamma.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "machine/profile.hpp"
#include "selection/alternatives.hpp"
#include "selection/host_ranking.hpp"
#include "selection/policy.hpp"
#include "selection/strategies.hpp"
#include "selection/table.hpp"

namespace tutti::selection {

struct Row {
  Alternative alternative;
  double time = 0;                    // us
  std::string why;                    // why it lost; empty for the winner
  std::optional<HostPlan> on_host{};  // set in explanations of one host
};

// A plan that must not serve the call, and the reason.
struct Refused {
  std::string name;
  std::string why;
};

struct Explanation {
  Question question;
  std::int64_t bytes = 0;  // size of the whole vector
  machine::Profile machine;
  std::vector<Row> rows;              // the fastest first; empty if nothing may serve the call
  std::vector<Refused> refused;       // sorted by name
  std::vector<EnvelopePiece> pieces;  // the row that is the fastest from each size on
  // The ranks and processors of the one host whose memory all ranks share. Without it, times are
  // those of alpha, beta and gamma.
  std::optional<HostPlace> host{};
  std::string network{};  // name of the network on which messages are counted, if there is one
};

// Explains the choice among processes on one host that may use so many processors.
[[nodiscard]] Explanation explain_on_host(const Question& question, std::int64_t bytes,
                                          const machine::Profile& machine, int processors);

// Explains the choice by alpha, beta and gamma. `network` is as in Sharing.
[[nodiscard]] Explanation explain(const Question& question, std::int64_t bytes,
                                  const machine::Profile& machine,
                                  const machine::Topology* network = nullptr);

// Returns one plan as a row of an explanation that was made with the same network. Throws
// Error(no_such_plan) if the plan may not serve the call or has no price.
[[nodiscard]] Row row_of(const Forced& plan, const Explanation& explanation,
                         const machine::Topology* network = nullptr);

// Returns the terms in which the times of two lines differ: "start-ups +80.3 ms, traffic -2.1 ms".
[[nodiscard]] std::string difference(const Terms& loser, const Terms& winner, const Rates& rates,
                                     double bytes);

// "messages +4.5 us, copying -1.2 us", of two plans on one host.
[[nodiscard]] std::string difference(const HostTimes& loser, const HostTimes& winner);

// Return a time such as "12.5 us" or "3.06 ms", and a size such as "64 KiB" or "1000 B".
[[nodiscard]] std::string time_text(double microseconds);
[[nodiscard]] std::string bytes_text(double bytes);
// "up to 1 KiB", "above 1 KiB, up to 4 KiB", "any size". Classes of sizes begin above a round
// number.
[[nodiscard]] std::string sizes_text(const Range& range);

}  // namespace tutti::selection

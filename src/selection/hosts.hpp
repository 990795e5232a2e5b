// SPDX-License-Identifier: BSD-3-Clause
// The cost of a schedule where the ranks lie on several hosts, for alternatives.cpp. A message
// between two hosts takes longer than one within a host, and the ranks of a host share its way out.
#pragma once

#include <span>
#include <vector>

#include "machine/profile.hpp"
#include "schedule/generator.hpp"
#include "selection/strategies.hpp"

namespace tutti::selection {

// The host of each rank. Hosts are numbered in the order in which they appear.
using Hosts = std::vector<int>;

// Numbers the hosts of all ranks, which may have any numbers in `host_of_rank`. Returns an empty
// list if all ranks have one host.
[[nodiscard]] Hosts numbered_hosts(std::span<const int> host_of_rank);

// Returns the number of hosts, which is 1 if `hosts` is empty.
[[nodiscard]] int host_count(const Hosts& hosts);

// Returns rows and columns, one row per host, where the ranks lie host after host, as many on each;
// else an empty list.
[[nodiscard]] std::vector<int> mesh_of(const Hosts& hosts);

// Returns the number of ranks of each host where the ranks lie host after host; else an empty list.
[[nodiscard]] std::vector<int> sizes_of(const Hosts& hosts);

// Returns the rates of the table [hosts] of a profile, or those of the built-in profile `host`
// where it has none.
[[nodiscard]] RemoteRates remote_rates_of(const machine::Profile& profile);

// The terms of a schedule on several hosts. alpha and beta are counted, round by round. A round
// begins with the start-ups of the rank that has most messages to or from other hosts, and lasts as
// long as its busiest rank or host. The terms in `flat` are those of the header. gamma is taken
// from there; where counting would take too long, all of `flat` is priced as remote.
struct HostTerms {
  Terms terms;
  bool counted = true;
};
[[nodiscard]] HostTerms host_terms(const schedule::Generator& generator,
                                   const schedule::Shape& shape, const Hosts& hosts,
                                   const RemoteRates& remote, const Terms& flat);

}  // namespace tutti::selection

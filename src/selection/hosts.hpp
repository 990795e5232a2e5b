// SPDX-License-Identifier: BSD-3-Clause
// The costs of a schedule whose ranks lie on several hosts: a message between two hosts takes
// longer than one within a host, and the ranks of a host share its way out.
#pragma once

#include <span>
#include <vector>

#include "machine/profile.hpp"
#include "schedule/generator.hpp"
#include "selection/strategies.hpp"

namespace tutti::selection {

// The host of each rank, numbered in the order in which they appear.
using Hosts = std::vector<int>;

// `host_of(rank)` in any numbers; empty if all ranks have one host.
[[nodiscard]] Hosts numbered_hosts(std::span<const int> host_of_rank);

// Rows and columns where the ranks lie host after host, as many on each; else empty. A row is a
// host.
[[nodiscard]] std::vector<int> mesh_of(const Hosts& hosts);

// How many ranks each host has, where they lie host after host; else empty.
[[nodiscard]] std::vector<int> sizes_of(const Hosts& hosts);

// From the table [hosts] of a profile; those of the built-in profile `host` where it has none.
[[nodiscard]] RemoteRates remote_rates_of(const machine::Profile& profile);

// alpha and beta as counted, round by round: a round begins with the start-ups of the rank that has
// most messages to or from other hosts, and lasts as long as its busiest rank or host. `flat` is
// what the header says: gamma is taken from it, and where counting would take too long everything
// is priced as remote.
struct HostTerms {
  Terms terms;
  bool counted = true;
};
[[nodiscard]] HostTerms host_terms(const schedule::Generator& generator,
                                   const schedule::Shape& shape, const Hosts& hosts,
                                   const RemoteRates& remote, const Terms& flat);

}  // namespace tutti::selection

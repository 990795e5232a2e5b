// SPDX-License-Identifier: BSD-3-Clause
// Ranks that lie on several hosts. A message between two hosts takes longer than one within a host,
// and the ranks of a host share its way out.
#pragma once

#include <span>
#include <vector>

#include "machine/profile.hpp"
#include "selection/strategies.hpp"
#include "selection/ways.hpp"

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

// The ways of messages where ranks lie on hosts. Within a host one copy serves all receivers, so it
// has one start-up. Between hosts every message has its own start-up, and all ranks of a host share
// its way out and its way in.
class HostWays : public Ways {
 public:
  // `hosts` must live as long as the ways.
  HostWays(const Hosts& hosts, const RemoteRates& remote);
  void find(int from, int to, MessageWay& way) const override;
  [[nodiscard]] int links() const override { return 2 * host_count(hosts_); }

 private:
  const Hosts& hosts_;
  RemoteRates remote_;
};

}  // namespace tutti::selection

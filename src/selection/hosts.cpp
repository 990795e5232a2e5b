// SPDX-License-Identifier: BSD-3-Clause
// Numbers hosts, and finds the ways within them and between them.
#include "selection/hosts.hpp"

#include <algorithm>

namespace tutti::selection {
namespace {

double ratio(const machine::Profile& profile, const char* key, double within) {
  static const machine::Profile builtin = machine::load("host");
  const auto own = profile.more.find(key);
  const machine::Number& number = own != profile.more.end() ? own->second : builtin.more.at(key);
  return within > 0 ? std::max(1.0, number.value / within) : 1.0;
}

}  // namespace

Hosts numbered_hosts(std::span<const int> host_of_rank) {
  Hosts hosts;
  std::vector<int> seen;
  for (const int host : host_of_rank) {
    const auto found = std::find(seen.begin(), seen.end(), host);
    hosts.push_back(static_cast<int>(found - seen.begin()));
    if (found == seen.end()) seen.push_back(host);
  }
  return seen.size() > 1 ? hosts : Hosts();
}

int host_count(const Hosts& hosts) {
  return hosts.empty() ? 1 : *std::max_element(hosts.begin(), hosts.end()) + 1;
}

std::vector<int> mesh_of(const Hosts& hosts) {
  if (hosts.empty()) return {};
  const int p = static_cast<int>(hosts.size()), rows = host_count(hosts);
  if (p % rows != 0) return {};
  for (int rank = 0; rank < p; ++rank) {
    if (hosts[static_cast<std::size_t>(rank)] != rank / (p / rows)) return {};
  }
  return {rows, p / rows};
}

std::vector<int> sizes_of(const Hosts& hosts) {
  std::vector<int> sizes;
  if (!std::is_sorted(hosts.begin(), hosts.end())) return sizes;
  for (const int host : hosts) {
    if (static_cast<std::size_t>(host) == sizes.size()) sizes.push_back(0);
    ++sizes.back();
  }
  return sizes;
}

RemoteRates remote_rates_of(const machine::Profile& profile) {
  return {ratio(profile, "hosts.alpha", profile.alpha.value),
          ratio(profile, "hosts.beta", profile.beta.value)};
}

HostWays::HostWays(const Hosts& hosts, const RemoteRates& remote)
    : hosts_(hosts), remote_(remote) {}

void HostWays::find(int from, int to, MessageWay& way) const {
  const int source = hosts_[static_cast<std::size_t>(from)],
            target = hosts_[static_cast<std::size_t>(to)];
  way.links.clear();
  way.own_start = source != target;
  way.start = way.own_start ? remote_.alpha : 1;
  way.port = way.link = way.own_start ? remote_.beta : 1;
  if (way.own_start) way.links.insert(way.links.end(), {2 * source, 2 * target + 1});
}

}  // namespace tutti::selection

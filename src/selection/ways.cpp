// SPDX-License-Identifier: BSD-3-Clause
// Finds the ways over a network, and what a profile says of its nodes.
#include "selection/ways.hpp"

#include <algorithm>
#include <cmath>

#include "machine/machine_words.hpp"

namespace tutti::selection {
namespace {

// Returns a value of the profile over another one, or `otherwise` where the profile has none.
double ratio(const machine::Profile& profile, const char* key, double unit, double otherwise = 1) {
  const auto found = profile.more.find(key);
  return found != profile.more.end() && unit > 0 ? found->second.value / unit : otherwise;
}

}  // namespace

void NetworkWays::find(int from, int to, MessageWay& way) const {
  topology_.route_into(from, to, route_);
  way.link = link_;
  way.hops = static_cast<int>(route_.size());
  way.links.clear();
  if (link_ == 0) return;
  for (const machine::Link link : route_) way.links.push_back(topology_.index(link));
}

NodeTimes nodes_of(const machine::Profile& profile) {
  const double alpha = profile.alpha.value, beta = profile.beta.value;
  NodeTimes nodes;
  nodes.next_send = ratio(profile, "node.send_alpha", alpha);
  nodes.next_receive = ratio(profile, "node.receive_alpha", alpha);
  nodes.send_byte = ratio(profile, "node.send_beta", beta);
  nodes.receive_byte = ratio(profile, "node.receive_beta", beta);
  nodes.combine_start = ratio(profile, "node.gamma_alpha", alpha, 0);
  nodes.copy_start = ratio(profile, "node.copy_alpha", alpha, 0);
  const auto ports = profile.words.find("node.ports");
  if (ports == profile.words.end()) return nodes;
  const auto names = machine::words_of(nodes.ports);
  const auto found = std::find(names.begin(), names.end(), ports->second.value);
  if (found != names.end()) nodes.ports = static_cast<machine::Ports>(found - names.begin());
  return nodes;
}

double link_of(const machine::Profile& profile) {
  const auto found = profile.more.find("network.link_beta");
  if (found != profile.more.end() && profile.beta.value > 0)
    return found->second.value / profile.beta.value;
  return std::isinf(profile.kappa.value) ? 0 : 1 / profile.kappa.value;
}

}  // namespace tutti::selection

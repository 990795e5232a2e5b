// SPDX-License-Identifier: BSD-3-Clause
// The ways that messages take, as a price sees them: over the links of a network, or within a host
// and out of it. A start-up of alpha and the time beta of a byte through a port are the units.
#pragma once

#include <vector>

#include "machine/machine.hpp"
#include "machine/profile.hpp"
#include "machine/topology.hpp"

namespace tutti::selection {

// The way of one message.
struct MessageWay {
  double start = 1;        // the start-up
  bool own_start = true;   // false: one start-up serves all such messages of a rank in a round
  double port = 1;         // a byte in the ports at both ends
  double link = 1;         // a byte on each of the links
  int hops = 0;            // links that cost time to pass
  std::vector<int> links;  // numbers of what other messages may use at the same time
};

// The ports of a node, and how long a further message of the same round keeps one.
struct NodeTimes {
  machine::Ports ports = machine::Ports::duplex;
  double next_send = 1, next_receive = 1;    // the start-up of a further message
  double send_byte = 1, receive_byte = 1;    // a byte in one port
  double combine_start = 0, copy_start = 0;  // of each operand that is combined, and of each copy
};

class Ways {
 public:
  explicit Ways(const NodeTimes& nodes = {}) : nodes_(nodes) {}
  Ways(const Ways&) = delete;
  Ways& operator=(const Ways&) = delete;
  virtual ~Ways() = default;

  // Finds the way between two different ranks, and reuses the memory of `way`.
  virtual void find(int from, int to, MessageWay& way) const = 0;
  // The numbers of links are below this one.
  [[nodiscard]] virtual int links() const = 0;
  [[nodiscard]] const NodeTimes& nodes() const { return nodes_; }

 private:
  NodeTimes nodes_;
};

// A network on whose nodes the ranks lie in order. A byte takes `link` on each link, which messages
// share; no two messages disturb each other if it is 0.
class NetworkWays : public Ways {
 public:
  NetworkWays(const machine::Topology& topology, double link, const NodeTimes& nodes)
      : Ways(nodes), topology_(topology), link_(link) {}
  void find(int from, int to, MessageWay& way) const override;
  [[nodiscard]] int links() const override { return topology_.links(); }

 private:
  const machine::Topology& topology_;
  double link_;
  mutable machine::Route route_;
};

// Returns the nodes that the profile describes. Where it is silent, a node sends one message and
// receives one at a time, and all messages take as long.
[[nodiscard]] NodeTimes nodes_of(const machine::Profile& profile);
// Returns how long a byte takes on a link, over its time through a port; 0 if links are not shared.
[[nodiscard]] double link_of(const machine::Profile& profile);

}  // namespace tutti::selection

// SPDX-License-Identifier: BSD-3-Clause
// Interconnection networks: nodes, directed links, and the one fixed route between any two nodes.
#pragma once

#include <compare>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::machine {

// A directed link. It belongs to one of its ends, a node or a switch, which numbers its links: the
// ports.
struct Link {
  int node;
  int port;
  friend auto operator<=>(const Link&, const Link&) = default;
};

// From the source to the destination; empty if these are the same.
using Route = std::vector<Link>;

// Where a link leads. Vertices are the nodes, 0 .. nodes-1, and the switches after them.
struct Ends {
  int from;
  int to;
  friend bool operator==(const Ends&, const Ends&) = default;
};

class Topology {
 public:
  Topology(const Topology&) = delete;
  Topology& operator=(const Topology&) = delete;
  virtual ~Topology() = default;

  // The description that parse_topology reads.
  [[nodiscard]] virtual std::string name() const = 0;
  // Nodes are numbered row-major in these extents: the last index runs fastest.
  [[nodiscard]] virtual std::vector<int> extents() const = 0;
  // At the border of a mesh some ports have no link.
  [[nodiscard]] virtual bool has(Link link) const = 0;
  [[nodiscard]] virtual Ends ends(Link link) const = 0;
  // Replaces what is in `out`, whose memory is used again: no allocation once it has been long
  // enough. The time is that of writing the route down.
  virtual void route_into(int from, int to, Route& out) const = 0;
  // Returns the name of a vertex in charts and messages. All labels of nodes have one length.
  [[nodiscard]] virtual std::string label(int vertex) const;

  [[nodiscard]] Route route(int from, int to) const;
  [[nodiscard]] int nodes() const { return counts_.nodes; }
  [[nodiscard]] int vertices() const { return counts_.vertices; }
  // Vertices from this one on own no links.
  [[nodiscard]] int owners() const { return counts_.owners; }
  // The most links that a vertex owns.
  [[nodiscard]] int ports() const { return counts_.ports; }
  // Links in one line: 0 .. links()-1, with gaps where there is no link.
  [[nodiscard]] int index(Link link) const { return link.node * counts_.ports + link.port; }
  [[nodiscard]] Link link_at(int index) const {
    return {index / counts_.ports, index % counts_.ports};
  }
  [[nodiscard]] int links() const { return counts_.owners * counts_.ports; }
  // The node that a text names, by its label or its number without leading zeros; -1 if there is
  // none.
  [[nodiscard]] virtual int node(std::string_view text) const;
  // The link from one vertex to another; a link with node -1 if there is none.
  [[nodiscard]] Link link_between(int from, int to) const;

 protected:
  struct Counts {
    int nodes;
    int ports;
    int owners;    // nodes first, then switches
    int vertices;  // owners first
  };
  explicit Topology(const Counts& counts) : counts_(counts) {}

 private:
  Counts counts_;
};

// "010->000".
[[nodiscard]] std::string to_text(const Topology& topology, Link link);
// "010->000->100".
[[nodiscard]] std::string to_text(const Topology& topology, const Route& route);

// line:8, ring:8, mesh:4x8, torus:4x4x2, hypercube:3, crossbar:8, bus:8, fattree:4x4/1x2,
// dragonfly:5x4x2, graph:FILE; tutti-machine(5) says what they mean. Throws
// Error(invalid_argument).
[[nodiscard]] std::unique_ptr<Topology> parse_topology(std::string_view text);

}  // namespace tutti::machine

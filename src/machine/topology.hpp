// SPDX-License-Identifier: BSD-3-Clause
// Interconnection networks: nodes, directed links, and the one fixed route between any two nodes.
#pragma once

#include <compare>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::machine {

// A directed link. It belongs to a node, which numbers its links: the ports.
struct Link {
  int node;
  int port;
  friend auto operator<=>(const Link&, const Link&) = default;
};

// From the source to the destination; empty if these are the same.
using Route = std::vector<Link>;

// Where a link leads. Vertices are the nodes, 0 .. nodes-1, and switches after them.
struct Ends {
  int from;
  int to;
  friend bool operator==(const Ends&, const Ends&) = default;
};

class Topology {
 public:
  Topology() = default;
  Topology(const Topology&) = delete;
  Topology& operator=(const Topology&) = delete;
  virtual ~Topology() = default;

  // As parse_topology reads it.
  [[nodiscard]] virtual std::string name() const = 0;
  // Nodes are numbered row-major in these extents: the last index runs fastest.
  [[nodiscard]] virtual std::vector<int> extents() const = 0;
  // The most links that a node has. At the border of a mesh some ports have no link.
  [[nodiscard]] virtual int ports() const = 0;
  [[nodiscard]] virtual bool has(Link link) const = 0;
  [[nodiscard]] virtual Ends ends(Link link) const = 0;
  [[nodiscard]] virtual Route route(int from, int to) const = 0;
  // What a vertex is called in charts and messages. All labels of nodes are of one length.
  [[nodiscard]] virtual std::string label(int vertex) const;

  [[nodiscard]] int nodes() const;
  // Links in one line: 0 .. nodes * ports - 1.
  [[nodiscard]] int index(Link link) const { return link.node * ports() + link.port; }
  // The node that a text names, by its label or its number without leading zeros; -1 if there is none.
  [[nodiscard]] int node(std::string_view text) const;
  // The link from one vertex to another; a link with node -1 if there is none.
  [[nodiscard]] Link link_between(int from, int to) const;
};

// "010->000".
[[nodiscard]] std::string to_text(const Topology& topology, Link link);
// "010->000->100".
[[nodiscard]] std::string to_text(const Topology& topology, const Route& route);

// line:8, ring:8, mesh:4x8, torus:4x4x2, hypercube:3, crossbar:8. Throws Error(invalid_argument).
[[nodiscard]] std::unique_ptr<Topology> parse_topology(std::string_view text);

}  // namespace tutti::machine

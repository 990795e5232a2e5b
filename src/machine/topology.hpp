// SPDX-License-Identifier: BSD-3-Clause
// Interconnection networks: nodes, directed links, and one fixed route between any two nodes.
#pragma once

#include <compare>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::machine {

// A directed link. One of its ends, a node or a switch, owns it. Each vertex numbers the links that
// it owns; the numbers are its ports.
struct Link {
  int node;
  int port;
  friend auto operator<=>(const Link&, const Link&) = default;
};

// The links from the source to the destination; empty if these are the same.
using Route = std::vector<Link>;

// The two vertices that a link joins. Vertices are the nodes, 0 .. nodes-1, and the switches after
// them.
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

  // Returns the description that parse_topology reads.
  [[nodiscard]] virtual std::string name() const = 0;
  // Returns the extents of the network. Nodes are numbered row-major in them: the last index varies
  // fastest.
  [[nodiscard]] virtual std::vector<int> extents() const = 0;
  // Returns true if the link exists. At the border of a mesh, some ports have no link.
  [[nodiscard]] virtual bool has(Link link) const = 0;
  [[nodiscard]] virtual Ends ends(Link link) const = 0;
  // Replaces the contents of `out` and reuses its memory, so that nothing is allocated after `out`
  // has been long enough. The time is proportional to the length of the route.
  virtual void route_into(int from, int to, Route& out) const = 0;
  // Returns the name of a vertex in charts and messages. All labels of nodes have one length.
  [[nodiscard]] virtual std::string label(int vertex) const;

  [[nodiscard]] Route route(int from, int to) const;
  [[nodiscard]] int nodes() const { return counts_.nodes; }
  [[nodiscard]] int vertices() const { return counts_.vertices; }
  // Returns the number of vertices that own links; they come first.
  [[nodiscard]] int owners() const { return counts_.owners; }
  // Returns the largest number of links that a vertex owns.
  [[nodiscard]] int ports() const { return counts_.ports; }
  // Numbers all links from 0 to links()-1, with gaps for missing links.
  [[nodiscard]] int index(Link link) const { return link.node * counts_.ports + link.port; }
  [[nodiscard]] Link link_at(int index) const {
    return {index / counts_.ports, index % counts_.ports};
  }
  [[nodiscard]] int links() const { return counts_.owners * counts_.ports; }
  // Returns the node with this label or number (without leading zeros); -1 if there is none.
  [[nodiscard]] virtual int node(std::string_view text) const;
  // Returns the link from one vertex to another; its node is -1 if there is none.
  [[nodiscard]] Link link_between(int from, int to) const;

 protected:
  struct Counts {
    int nodes;
    int ports;
    int owners;    // nodes first, then switches
    int vertices;  // those of `owners` come first
  };
  explicit Topology(const Counts& counts) : counts_(counts) {}

 private:
  Counts counts_;
};

// Returns a text such as "010->000".
[[nodiscard]] std::string to_text(const Topology& topology, Link link);
// Returns a text such as "010->000->100".
[[nodiscard]] std::string to_text(const Topology& topology, const Route& route);

// Returns the rows and columns of a two-dimensional mesh, whose conflicts the formulas know, or
// nothing for another network.
[[nodiscard]] std::vector<int> mesh_of(const Topology& topology);

// Reads line:8, ring:8, mesh:4x8, torus:4x4x2, hypercube:3, crossbar:8, bus:8, fattree:4x4/1x2,
// dragonfly:5x4x2 or graph:FILE; tutti-machine(5) explains them. Throws Error(invalid_argument).
[[nodiscard]] std::unique_ptr<Topology> parse_topology(std::string_view text);

}  // namespace tutti::machine

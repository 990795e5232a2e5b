// SPDX-License-Identifier: BSD-3-Clause
// What all topologies have in common, and how they are named.
#include "machine/topology.hpp"

#include <charconv>
#include <functional>
#include <numeric>

#include "base/error.hpp"
#include "machine/crossbar.hpp"
#include "machine/hypercube.hpp"
#include "machine/mesh.hpp"

namespace tutti::machine {
namespace {

constexpr int most_nodes = 1 << 20;
constexpr int most_dimensions = 20;

// The whole text as a number without sign and leading zeros, at most `most`; -1 if it is something else.
int number(std::string_view text, int most) {
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  if (!whole || value < 0 || value > most || (text.size() > 1 && text[0] == '0')) return -1;
  return value;
}

[[noreturn]] void not_understood(std::string_view text) {
  base::fail(
      base::Status::invalid_argument,
      "topology '{}': expected line:N, ring:N, mesh:RxC..., torus:RxC..., hypercube:D or crossbar:N with at most "
      "{} nodes",
      text, most_nodes);
}

// "4x8" -> {4, 8}.
std::vector<int> extents_of(std::string_view text, std::string_view whole) {
  std::vector<int> extents;
  long long nodes = 1;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    const int extent = number(text.substr(begin, end - begin), most_nodes);
    if (extent < 1) not_understood(whole);
    extents.push_back(extent);
    nodes *= extent;
    if (nodes > most_nodes) not_understood(whole);
    begin = end + 1;
  }
  return extents;
}

}  // namespace

Route Topology::route(int from, int to) const {
  Route route;
  route_into(from, to, route);
  return route;
}

std::string Topology::label(int vertex) const {
  const std::size_t digits = fmt::formatted_size("{}", nodes() - 1);
  return fmt::format("{:0{}}", vertex, digits);
}

int Topology::node(std::string_view text) const {
  const int plain = number(text, nodes() - 1);
  if (plain >= 0 && text.size() != label(0).size()) return plain;
  for (int vertex = 0; vertex < nodes(); ++vertex)
    if (label(vertex) == text) return vertex;
  return plain;
}

Link Topology::link_between(int from, int to) const {
  for (const int owner : {from, to}) {
    if (owner < 0 || owner >= owners()) continue;
    for (int port = 0; port < ports(); ++port) {
      const Link link{owner, port};
      if (has(link) && ends(link) == Ends{from, to}) return link;
    }
  }
  return {-1, -1};
}

std::string to_text(const Topology& topology, Link link) {
  const Ends ends = topology.ends(link);
  return fmt::format("{}->{}", topology.label(ends.from), topology.label(ends.to));
}

std::string to_text(const Topology& topology, const Route& route) {
  std::string text;
  for (const Link link : route) {
    const Ends ends = topology.ends(link);
    if (text.empty()) text = topology.label(ends.from);
    text += "->" + topology.label(ends.to);
  }
  return text;
}

std::unique_ptr<Topology> parse_topology(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) not_understood(text);
  const std::string_view kind = text.substr(0, colon), size = text.substr(colon + 1);
  if (kind == "mesh" || kind == "torus") {
    const auto around = kind == "torus" ? Mesh::Border::joined : Mesh::Border::open;
    return std::make_unique<Mesh>(extents_of(size, text), around);
  }
  const int n = number(size, kind == "hypercube" ? most_dimensions : most_nodes);
  if (n < (kind == "hypercube" ? 0 : 1)) not_understood(text);
  if (kind == "line") return std::make_unique<Mesh>(std::vector{n}, Mesh::Border::open);
  if (kind == "ring") return std::make_unique<Mesh>(std::vector{n}, Mesh::Border::joined);
  if (kind == "hypercube") return std::make_unique<Hypercube>(n);
  if (kind == "crossbar") return std::make_unique<Crossbar>(n);
  not_understood(text);
}

}  // namespace tutti::machine

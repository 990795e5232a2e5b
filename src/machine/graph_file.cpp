// SPDX-License-Identifier: BSD-3-Clause
// Reads the table [graph].
#include "machine/graph_file.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "machine/graph.hpp"
#include "machine/read_file.hpp"
#include "machine/suggestion.hpp"
#include "machine/toml_reader.hpp"

namespace tutti::machine {
namespace {

constexpr std::size_t longest_label = 32;
constexpr std::size_t most_links = std::size_t{1} << 20;
constexpr std::string_view known_keys[] = {"nodes", "switches", "links", "routes"};
constexpr std::string_view both_ways = "<->", one_way = "->";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  return text.substr(
      begin, text.find_last_not_of(" \t") + 1 - std::min(begin, text.find_last_not_of(" \t") + 1));
}

bool is_label_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
         c == '.';
}

class GraphReader : TomlReader {
 public:
  explicit GraphReader(const std::string& origin) : TomlReader(origin) {}

  Graph::Description read(const toml::table& graph) {
    for (const auto& [key, node] : graph) {
      const std::string_view name = key.str();
      if (std::find(std::begin(known_keys), std::end(known_keys), name) == std::end(known_keys))
        fail(node, "unknown key graph.{}{}", name, suggestion(name, known_keys));
    }
    if (graph.get("nodes") == nullptr)
      fail(graph, "graph.nodes is missing: a number, or a list of names");
    add_nodes(*graph.get("nodes"));
    description_.nodes = static_cast<int>(description_.labels.size());
    if (const toml::node* switches = graph.get("switches")) add_names(*switches, "graph.switches");
    if (const toml::node* links = graph.get("links")) {
      for (const toml::node& link : array_of(*links, "graph.links")) add_link(link);
    }
    if (const toml::node* routes = graph.get("routes")) {
      for (const toml::node& route : array_of(*routes, "graph.routes")) add_route(route);
    }
    return std::move(description_);
  }

 private:
  void add_nodes(const toml::node& nodes) {
    if (nodes.is_array()) {
      add_names(nodes, "graph.nodes");
    } else {
      const auto count = nodes.value_exact<std::int64_t>();
      if (!count)
        fail(nodes, "graph.nodes must be a whole number or a list of names, not {}",
             type_of(nodes));
      if (*count > Graph::most_vertices) too_large(nodes);
      for (std::int64_t i = 0; i < *count; ++i) add_label(nodes, std::to_string(i));
    }
    if (description_.labels.empty())
      fail(nodes, "graph.nodes names no node; a network has one or more");
  }

  void add_names(const toml::node& list, std::string_view key) {
    for (const toml::node& node : array_of(list, key)) {
      const std::string label = text_of(node, key);
      if (label.empty() || label.size() > longest_label ||
          !std::all_of(label.begin(), label.end(), is_label_character))
        fail(node, "{} has the name '{}'; names are 1 to {} letters, digits, '_' and '.'", key,
             label, longest_label);
      add_label(node, label);
    }
  }

  [[noreturn]] void too_large(const toml::node& where) const {
    fail(where, "graph: topology too large; at most {} nodes and switches can be listed",
         Graph::most_vertices);
  }

  void add_label(const toml::node& where, const std::string& label) {
    if (description_.labels.size() >= std::size_t{Graph::most_vertices}) too_large(where);
    if (!numbers_.emplace(label, static_cast<int>(description_.labels.size())).second)
      fail(where, "graph: '{}' is named twice; give every node and switch a name of its own",
           label);
    description_.labels.push_back(label);
  }

  int vertex(const toml::node& where, std::string_view key, std::string_view text) const {
    const auto found = numbers_.find(std::string(trimmed(text)));
    if (found == numbers_.end())
      fail(where, "{}: there is no node or switch '{}'; list it in graph.nodes or graph.switches",
           key, trimmed(text));
    return found->second;
  }

  void add_link(const toml::node& node) {
    const std::string text = text_of(node, "graph.links");
    const bool both = text.find(both_ways) != std::string::npos;
    const std::string_view arrow = both ? both_ways : one_way;
    const std::size_t at = text.find(arrow);
    if (at == std::string::npos)
      fail(node, "graph.links: '{}' is neither 'a <-> b' nor 'a -> b'", text);
    const int from = vertex(node, "graph.links", std::string_view(text).substr(0, at));
    const int to = vertex(node, "graph.links", std::string_view(text).substr(at + arrow.size()));
    if (from == to) fail(node, "graph.links: '{}' leads from a vertex to itself; remove it", text);
    add_link(node, {from, to});
    if (both) add_link(node, {to, from});
  }

  void add_link(const toml::node& node, Ends link) {
    if (!links_.emplace(link.from, link.to).second)
      fail(node, "graph.links: a link from {} to {} is there already; remove one", label(link.from),
           label(link.to));
    if (links_.size() > most_links)
      fail(node, "graph: topology too large; at most {} links can be listed", most_links);
    description_.links.push_back(link);
  }

  void add_route(const toml::node& node) {
    const std::string text = text_of(node, "graph.routes");
    std::vector<int> path;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(one_way, begin), text.size());
      path.push_back(
          vertex(node, "graph.routes", std::string_view(text).substr(begin, end - begin)));
      begin = end + one_way.size();
    }
    check_route(node, text, path);
    if (!description_.routes.emplace(std::pair(path.front(), path.back()), path).second)
      fail(node, "graph.routes: a second route from {} to {}; remove one", label(path.front()),
           label(path.back()));
  }

  void check_route(const toml::node& node, const std::string& text,
                   const std::vector<int>& path) const {
    if (path.size() < 2)
      fail(node, "graph.routes: '{}' needs a source and a destination: 'a -> s -> b'", text);
    for (const int end : {path.front(), path.back()}) {
      if (end >= description_.nodes)
        fail(node, "graph.routes: {} is a switch, but a route begins and ends at a node",
             label(end));
    }
    std::set<int> seen;
    for (const int vertex : path) {
      if (!seen.insert(vertex).second)
        fail(node, "graph.routes: '{}' loops, it is at {} twice", text, label(vertex));
    }
    for (std::size_t i = 1; i < path.size(); ++i) {
      if (links_.find({path[i - 1], path[i]}) == links_.end())
        fail(node, "graph.routes: '{}' needs a link '{} -> {}', which graph.links does not have",
             text, label(path[i - 1]), label(path[i]));
    }
  }

  const std::string& label(int vertex) const {
    return description_.labels[static_cast<std::size_t>(vertex)];
  }

  Graph::Description description_;
  std::map<std::string, int> numbers_;
  std::set<std::pair<int, int>> links_;
};

}  // namespace

std::unique_ptr<Topology> parse_graph(std::string_view text, const std::string& origin,
                                      const std::string& name) {
  const toml::table file = parse_toml(text, origin);
  const toml::node* graph = file.get("graph");
  if (graph == nullptr || !graph->is_table())
    reject(origin, graph == nullptr ? 0 : line_of(*graph), "no table [graph] with nodes and links");
  Graph::Description description = GraphReader(origin).read(*graph->as_table());
  description.name = name;
  auto topology = std::make_unique<Graph>(std::move(description));
  const Ends pair = topology->unreachable();
  if (pair.from >= 0)
    reject(origin, line_of(*graph),
           "graph: there is no way from {} to {}; add links, or -> may have to be <->",
           topology->label(pair.from), topology->label(pair.to));
  return topology;
}

std::unique_ptr<Topology> load_graph(const std::string& path) {
  return parse_graph(read_file(path, "graph"), path, "graph:" + path);
}

}  // namespace tutti::machine

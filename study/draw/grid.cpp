// SPDX-License-Identifier: BSD-3-Clause
// Arrows between the nodes of a grid are written as 0 --> 1 <-- 2 <-> 3, loads as --2>. Arrows to
// the row below are v, ^ and v^.
#include "draw/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

#include "draw/steps.hpp"

namespace tutti::draw {
namespace {

using machine::Topology;
using traffic::Message;
using traffic::Messages;

constexpr std::size_t widest_line = 110;

// Counts the messages on each link, by its ends.
class Loads {
 public:
  Loads(const Messages& step, const Topology& topology) {
    for (const Message& message : step) {
      for (const machine::Link link : message.route) {
        const machine::Ends ends = topology.ends(link);
        ++loads_[{ends.from, ends.to}];
      }
    }
  }
  int between(int from, int to) const {
    const auto load = loads_.find({from, to});
    return load == loads_.end() ? 0 : load->second;
  }
  // Returns the width of the largest load, or 0 if no load is above 1.
  std::size_t digits() const {
    int most = 1;
    for (const auto& [ends, load] : loads_) most = std::max(most, load);
    return most > 1 ? fmt::formatted_size("{}", most) : 0;
  }

 private:
  std::map<std::pair<int, int>, int> loads_;
};

std::string count(int load) {
  return load > 1 ? std::to_string(load) : "";
}

// Returns "-->", "<2-", "<->" or "<2-3>", centred in `width`.
std::string across(int right, int left, std::size_t width) {
  if (right == 0 && left == 0) return std::string(width, ' ');
  std::string text = left > 0 ? "<" + count(left) : "-";
  text += "-";
  text += right > 0 ? count(right) + ">" : "-";
  return fmt::format("{:^{}}", text, width);
}

// Returns "v", "^3", "v^" or "v2^3".
std::string along(int down, int up) {
  return (down > 0 ? "v" + count(down) : "") + (up > 0 ? "^" + count(up) : "");
}

std::string list(const Messages& step, const Topology& topology) {
  std::string text, line = "   ";
  for (const Message& message : step) {
    const std::string name =
        fmt::format(" {}->{}", node_name(topology, message.from), node_name(topology, message.to));
    if (line.size() + name.size() > widest_line) text += std::exchange(line, "   ") + "\n";
    line += name;
  }
  return text + line + "\n";
}

}  // namespace

bool fits_grid(const Messages& messages, const Topology& topology) {
  const std::vector<int> extents = topology.extents();
  if (extents.size() != 2) return false;
  return std::all_of(messages.begin(), messages.end(), [&](const Message& message) {
    return std::all_of(message.route.begin(), message.route.end(), [&](machine::Link link) {
      const auto [from, to] = topology.ends(link);
      const int rows = std::abs(from / extents[1] - to / extents[1]);
      return rows + std::abs(from % extents[1] - to % extents[1]) == 1;
    });
  });
}

std::string grid_text(const Messages& step, const Topology& topology) {
  const int rows = topology.extents()[0], columns = topology.extents()[1];
  const Loads loads(step, topology);
  const std::size_t label = topology.label(0).size(), between = 5 + 2 * loads.digits();
  std::string text;
  for (int row = 0; row < rows; ++row) {
    std::string nodes(4, ' '), below(4, ' ');
    for (int column = 0; column < columns; ++column) {
      const int node = row * columns + column, right = node + 1, lower = node + columns;
      nodes += fmt::format("{:<{}}", node_name(topology, node), label);
      if (column + 1 < columns)
        nodes += across(loads.between(node, right), loads.between(right, node), between);
      if (row + 1 < rows)
        below +=
            fmt::format("{:<{}}", along(loads.between(node, lower), loads.between(lower, node)),
                        label + between);
    }
    text += nodes + "\n";
    below.erase(below.find_last_not_of(' ') + 1);
    if (row + 1 < rows) text += below + "\n";
  }
  return text + list(step, topology);
}

}  // namespace tutti::draw

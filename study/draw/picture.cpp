// SPDX-License-Identifier: BSD-3-Clause
// Draws pictures of steps with all nodes in a row.
#include "draw/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "draw/grid.hpp"
#include "draw/steps.hpp"

namespace tutti::draw {
namespace {

using machine::Topology;
using traffic::Message;
using traffic::Messages;

constexpr std::size_t indent = 4;
constexpr std::size_t gap = 3;  // blanks between two labels

// An arrow between node `low` and node `high`, with a head at one end or at both.
struct Arrow {
  int low;
  int high;
  bool up = false;
  bool down = false;
};

std::vector<Arrow> arrows_of(const Messages& step) {
  std::map<std::pair<int, int>, Arrow> found;
  std::vector<std::pair<int, int>> order;
  for (const Message& message : step) {
    const auto [low, high] = std::minmax(message.from, message.to);
    const auto [arrow, added] = found.try_emplace({low, high}, Arrow{low, high});
    if (added) order.emplace_back(low, high);
    (message.from < message.to ? arrow->second.up : arrow->second.down) = true;
  }
  std::vector<Arrow> arrows;
  for (const auto& pair : order) arrows.push_back(found.at(pair));
  return arrows;
}

class Row {
 public:
  explicit Row(const Topology& topology)
      : topology_(topology), pitch_(topology.label(0).size() + gap) {}

  std::string labels() const {
    std::string text;
    for (int node = 0; node < topology_.nodes(); ++node) {
      text.resize(at(node) - (topology_.label(0).size() - 1) / 2, ' ');
      text += node_name(topology_, node);
    }
    return text + "\n";
  }

  // Writes each arrow on the first line on which it meets no other.
  std::string arrows(const std::vector<Arrow>& all) const {
    std::vector<std::string> lines;
    for (const Arrow& arrow : all) {
      const std::size_t begin = at(arrow.low), length = at(arrow.high) - begin + 1;
      auto line = std::find_if(lines.begin(), lines.end(), [&](const std::string& text) {
        return text.find_first_not_of(' ', begin) >= std::min(begin + length, text.size());
      });
      if (line == lines.end()) line = lines.insert(line, std::string());
      line->resize(std::max(line->size(), begin + length), ' ');
      std::string shape(length, '-');
      shape.front() = arrow.down ? '<' : 'o';
      shape.back() = arrow.up ? '>' : 'o';
      line->replace(begin, length, shape);
    }
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
  }

 private:
  // Returns the column of the middle of a label.
  std::size_t at(int node) const {
    return indent + static_cast<std::size_t>(node) * pitch_ + (topology_.label(0).size() - 1) / 2;
  }

  const Topology& topology_;
  std::size_t pitch_;
};

// Lists the routes of messages that pass other nodes, because the row does not show them.
std::string ways(const Messages& step, const Topology& topology) {
  if (topology.extents().size() < 2) return "";
  std::string text;
  for (const Message& message : step)
    if (message.route.size() > 1)
      text += fmt::format("    {}\n", machine::to_text(topology, message.route));
  return text;
}

}  // namespace

std::string rounds_text(const Messages& messages, const Topology& topology) {
  const bool grid = fits_grid(messages, topology);
  std::string text;
  for (const EqualSteps& steps : equal_steps(messages, topology)) {
    text += (text.empty() ? "" : "\n") + heading(steps);
    text += steps.load.most > 1
                ? fmt::format(" ({})\n", machine::to_text(topology, steps.load.link))
                : "\n";
    const Row row(topology);
    text += grid ? grid_text(steps.messages, topology)
                 : row.labels() + row.arrows(arrows_of(steps.messages)) +
                       ways(steps.messages, topology);
  }
  return text;
}

}  // namespace tutti::draw

// SPDX-License-Identifier: BSD-3-Clause
// Reads charts. A chart has a line of labels, then rows such as "010->101  ... .1. ..2"; "010--101"
// is a row for both directions.
#include "traffic/chart_file.hpp"

#include <algorithm>

#include "base/number.hpp"
#include "machine/hypercube.hpp"
#include "traffic/line_reader.hpp"
#include "traffic/pair_file.hpp"

namespace tutti::traffic {
namespace {

using machine::Link;
using machine::Route;
using machine::Topology;

struct Mark {
  Link link;
  int number;  // step; 0 for an x
};

// Returns the step that a cell names, 0 for x, -1 if it is neither. A step is a digit 1 to 9, a
// letter from a = 10 to w = 32, or a decimal number, after dots.
int number_of(std::string_view cell) {
  cell.remove_prefix(std::min(cell.find_first_not_of('.'), cell.size()));
  if (cell.size() == 1 && cell[0] >= 'a' && cell[0] <= 'w') return cell[0] - 'a' + 10;
  if (cell == "x") return 0;
  const int number = base::number_in<int>(cell).value_or(-1);
  return number > 0 ? number : -1;
}

// Splits the cells of one node: one character each, or separated by bars.
std::vector<std::string_view> cells_of(std::string_view group, int ports) {
  const bool wide =
      group.find('|') != std::string_view::npos ||
      (ports == 1 && group.find_first_not_of(".0123456789x") == std::string_view::npos);
  std::vector<std::string_view> cells;
  if (wide) return split(group, '|');
  for (std::size_t i = 0; i < group.size(); ++i) cells.push_back(group.substr(i, 1));
  return cells;
}

// Finds the path of a row. It tries the paths along the marks until one uses all marks or, for both
// directions, the marks left over form a path back.
class Tracing {
 public:
  enum class Trip { one_way, there_and_back };

  Tracing(const Topology& topology, const std::vector<Mark>& marks) : topology_(topology) {
    for (const Mark& mark : marks) left_.push_back(mark.link);
  }

  // Returns the route there, and the route back if asked for. Returns nothing if there is no such
  // path.
  std::vector<Route> trace(int from, int to, Trip trip) {
    routes_.clear();
    routes_.emplace_back();
    return step(from, from, to, trip) ? routes_ : std::vector<Route>{};
  }

 private:
  bool step(int at, int from, int to, Trip trip) {
    if (at == to && trip == Trip::one_way) return left_.empty();
    if (at == to) {
      routes_.emplace_back();
      if (step(at, to, from, Trip::one_way)) return true;
      routes_.pop_back();
      return false;
    }
    for (std::size_t i = 0; i < left_.size(); ++i) {
      const Link link = left_[i];
      if (topology_.ends(link).from != at) continue;
      left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(i));
      routes_.back().push_back(link);
      if (step(topology_.ends(link).to, from, to, trip)) return true;
      routes_.back().pop_back();
      left_.insert(left_.begin() + static_cast<std::ptrdiff_t>(i), link);
    }
    return false;
  }

  const Topology& topology_;
  std::vector<Link> left_;
  std::vector<Route> routes_;
};

class ChartReader : LineReader {
 public:
  ChartReader(const std::string& origin, const Topology& topology) : LineReader(origin, topology) {}

  Reading read(const std::vector<TextLine>& lines) {
    for (const std::string_view label : words(lines.front().text))
      columns_.push_back(node(label, lines.front()));
    for (std::size_t i = 1; i < lines.size(); ++i) row_line(lines[i]);
    if (mixed_) fail(lines.front(), "some marks are numbers, some are x");
    reading_.numbered = numbers_;
    return std::move(reading_);
  }

 private:
  // Reads one line. It has the rows of one or two sources side by side, each with columns of its
  // own.
  void row_line(const TextLine& line) {
    std::size_t column = 0;
    std::string_view label;
    std::vector<Mark> marks;
    for (const std::string_view word : words(line.text)) {
      if (word.find_first_not_of('-') == std::string_view::npos)
        continue;  // skips a line drawn between groups
      if (is_arrow(word)) {
        if (!label.empty()) add_row(label, std::exchange(marks, {}), line);
        label = word;
      } else {
        if (label.empty())
          fail(line, "expected a row such as '{0}->{0}' before '{1}'", topology_.label(0), word);
        if (column == columns_.size()) fail(line, "more groups of marks than labels above");
        read_group(word, columns_[column++], line, marks);
      }
    }
    if (!label.empty()) add_row(label, std::move(marks), line);
  }

  void read_group(std::string_view group, int node, const TextLine& line,
                  std::vector<Mark>& marks) {
    const auto cells = cells_of(group, topology_.ports());
    if (static_cast<int>(cells.size()) != topology_.ports())
      fail(line, "'{}' has {} marks, {} has {} links at a node", group, cells.size(),
           topology_.name(), topology_.ports());
    for (std::size_t port = 0; port < cells.size(); ++port) {
      if (cells[port].find_first_not_of('.') == std::string_view::npos) continue;
      const Mark mark{{node, static_cast<int>(port)}, number_of(cells[port])};
      if (mark.number < 0) fail(line, "'{}' is no step", cells[port]);
      if (!topology_.has(mark.link))
        fail(line, "a mark at node {} where it has no link", topology_.label(node));
      mixed_ = mixed_ || (any_ && numbers_ != (mark.number > 0));
      any_ = true;
      numbers_ = mark.number > 0;
      marks.push_back(mark);
    }
  }

  void add_row(std::string_view label, const std::vector<Mark>& marks, const TextLine& line) {
    const Arrow arrow = split_arrow(label);
    if (arrow.nodes.size() != 2) fail(line, "'{}' is no row of a chart", label);
    const int from = node(arrow.nodes[0], line), to = node(arrow.nodes[1], line);
    if (marks.empty()) return;
    for (const Mark& mark : marks) {
      if (mark.number == marks.front().number) continue;
      reading_.problems.push_back(fmt::format(
          "line {}, row {}: numbers {} and {}; all links of a path are in use in one step",
          line.number, label, marks.front().number, mark.number));
      return;
    }
    const std::vector<Route> routes =
        Tracing(topology_, marks)
            .trace(from, to, arrow.both ? Tracing::Trip::there_and_back : Tracing::Trip::one_way);
    if (routes.empty() || from == to) {
      reading_.problems.push_back(
          fmt::format("line {}, row {}: its marks are no path", line.number, label));
      return;
    }
    const int step = std::max(1, marks.front().number);
    reading_.messages.push_back({.step = step, .from = from, .to = to, .route = routes[0]});
    if (arrow.both)
      reading_.messages.push_back({.step = step, .from = to, .to = from, .route = routes[1]});
  }

  std::vector<int> columns_;
  Reading reading_;
  bool any_ = false, numbers_ = false, mixed_ = false;
};

// Returns true if the text is a chart, which begins with labels instead of an arrow.
bool is_chart(const std::vector<TextLine>& lines) {
  return !lines.empty() && split_arrow(lines.front().text).nodes.empty();
}

}  // namespace

Reading read_messages(const std::string& text, const std::string& origin,
                      const Topology& topology) {
  const std::vector<TextLine> lines = lines_of(text);
  if (is_chart(lines)) return ChartReader(origin, topology).read(lines);
  return read_pairs(lines, origin, topology);
}

std::unique_ptr<Topology> topology_of_chart(const std::string& text) {
  const std::vector<TextLine> lines = lines_of(text);
  if (!is_chart(lines)) return nullptr;
  const auto labels = words(lines.front().text);
  int dimensions = 0;
  while ((std::size_t{1} << dimensions) < labels.size()) ++dimensions;
  auto cube = std::make_unique<machine::Hypercube>(dimensions);
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (labels.size() != std::size_t{1} << dimensions ||
        labels[i] != cube->label(static_cast<int>(i)))
      return nullptr;
  return cube;
}

}  // namespace tutti::traffic

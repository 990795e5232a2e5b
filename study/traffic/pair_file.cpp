// SPDX-License-Identifier: BSD-3-Clause
// Reads lists of pairs, whose lines have one message each, or two.
#include "traffic/pair_file.hpp"

#include <charconv>

#include "traffic/line_reader.hpp"

namespace tutti::traffic {
namespace {

class PairReader : LineReader {
 public:
  PairReader(const std::string& origin, const machine::Topology& topology)
      : LineReader(origin, topology) {}

  Reading read(const std::vector<TextLine>& lines) {
    std::size_t with_step = 0;
    for (const TextLine& line : lines) {
      const std::size_t colon = line.text.find(':');
      const bool has_step = colon != std::string_view::npos;
      if (has_step) ++with_step;
      if (with_step != 0 && !has_step) fail(line, "no step, which lines before have");
      if (has_step && with_step == 1 && !reading_.messages.empty())
        fail(line, "a step, which lines before do not have");
      add(line, has_step ? step_of(line, line.text.substr(0, colon)) : 1,
          has_step ? line.text.substr(colon + 1) : line.text);
    }
    reading_.numbered = with_step != 0;
    return std::move(reading_);
  }

 private:
  int step_of(const TextLine& line, std::string_view text) const {
    int step = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), step);
    const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
    if (error != std::errc{} || step < 1 || !words(rest).empty())
      fail(line, "'{}' is no step", text);
    return step;
  }

  void add(const TextLine& line, int step, std::string_view text) {
    const Arrow arrow = split_arrow(text);
    if (arrow.nodes.size() < 2 || (arrow.both && arrow.nodes.size() > 2))
      fail(line, "expected [step:] source -> destination, found '{}'", line.text);
    std::vector<int> nodes;
    for (const std::string_view name : arrow.nodes) nodes.push_back(node(name, line));
    const int from = nodes.front(), to = nodes.back();
    if (from == to) fail(line, "a message from {0} to {0}", topology_.label(from));
    reading_.messages.push_back(
        {.step = step,
         .from = from,
         .to = to,
         .route = nodes.size() > 2 ? path(line, nodes) : topology_.route(from, to)});
    if (arrow.both)
      reading_.messages.push_back(
          {.step = step, .from = to, .to = from, .route = topology_.route(to, from)});
  }

  // Returns the route that the line spells out node by node.
  machine::Route path(const TextLine& line, const std::vector<int>& nodes) const {
    machine::Route route;
    for (std::size_t i = 1; i < nodes.size(); ++i) {
      route.push_back(topology_.link_between(nodes[i - 1], nodes[i]));
      if (route.back().node < 0)
        fail(line, "{} has no link {}->{}", topology_.name(), topology_.label(nodes[i - 1]),
             topology_.label(nodes[i]));
    }
    return route;
  }

  Reading reading_;
};

}  // namespace

Reading read_pairs(const std::vector<TextLine>& lines, const std::string& origin,
                   const machine::Topology& topology) {
  return PairReader(origin, topology).read(lines);
}

}  // namespace tutti::traffic

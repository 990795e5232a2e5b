// SPDX-License-Identifier: BSD-3-Clause
// Routes the messages of a schedule on a line, and draws messages.
#include "papers/common/drawn_rounds.hpp"

#include <fmt/format.h>

#include "draw/picture.hpp"
#include "draw/svg.hpp"
#include "machine/topology.hpp"
#include "support/request.hpp"

namespace tutti::papers {

void add_drawing(Result& result, const Item& item, std::string svg, const std::string& part) {
  result.charts.push_back({item.name + part, item.subject, {}, {}, std::move(svg)});
}

void add_messages(Result& result, const Item& item, const traffic::Messages& messages,
                  const machine::Topology& topology) {
  add_drawing(result, item, draw::rounds_svg(messages, topology, item.subject));
}

Result drawn_rounds(const Item& item, const schedule::Generator& generator,
                    const schedule::Shape& shape) {
  const auto line = machine::parse_topology(fmt::format("line:{}", shape.p));
  const traffic::Messages messages = traffic::routed(traffic::messages_of(generator, shape), *line);
  Result result;
  result.picture = draw::rounds_text(messages, *line);
  add_messages(result, item, messages, *line);
  result.notes.push_back(
      fmt::format("Drawn: {}. The drawing itself is not in the text of the paper. The nodes lie on "
                  "a line here, and what is counted on a link is that of a link of the line.",
                  tools::describe(generator, shape)));
  return result;
}

}  // namespace tutti::papers

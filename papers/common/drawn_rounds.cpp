// SPDX-License-Identifier: BSD-3-Clause
// Routes the messages of a schedule on a line, and draws them.
#include "papers/common/drawn_rounds.hpp"

#include <fmt/format.h>

#include "draw/picture.hpp"
#include "draw/svg.hpp"
#include "machine/topology.hpp"
#include "support/request.hpp"

namespace tutti::papers {

Result drawn_rounds(const Item& item, const schedule::Generator& generator,
                    const schedule::Shape& shape) {
  const auto line = machine::parse_topology(fmt::format("line:{}", shape.p));
  const traffic::Messages messages = traffic::routed(traffic::messages_of(generator, shape), *line);
  Result result;
  result.picture = draw::rounds_text(messages, *line);
  result.charts.push_back(
      {item.name, item.subject, {}, {}, draw::rounds_svg(messages, *line, item.subject)});
  result.notes.push_back(
      fmt::format("Drawn: {}. The drawing itself is not in the text of the paper.",
                  tools::describe(generator, shape)));
  return result;
}

}  // namespace tutti::papers

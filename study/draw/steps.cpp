// SPDX-License-Identifier: BSD-3-Clause
// Each step is compared with the one before it.
#include "draw/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace tutti::draw {
namespace {

using traffic::Message;
using traffic::Messages;

bool same(const Messages& a, const Messages& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Message& m, const Message& n) {
    return m.from == n.from && m.to == n.to && m.route == n.route;
  });
}

}  // namespace

std::vector<EqualSteps> equal_steps(const Messages& messages, const machine::Topology& topology) {
  std::vector<EqualSteps> all;
  for (const traffic::StepLoad& load : traffic::loads(messages, topology)) {
    Messages step;
    std::copy_if(messages.begin(), messages.end(), std::back_inserter(step),
                 [&](const Message& message) { return message.step == load.step; });
    if (!all.empty() && same(all.back().messages, step)) {
      all.back().last = load.step;
    } else {
      all.push_back({load.step, load.step, std::move(step), load});
    }
  }
  return all;
}

std::string heading(const EqualSteps& steps) {
  const int number = steps.last - steps.first + 1;
  const std::string which =
      number == 1 ? fmt::format("step {}", steps.first)
                  : fmt::format("steps {} to {} (x {})", steps.first, steps.last, number);
  return fmt::format("{}: {} message{}{}, at most {} on a link", which, steps.load.messages,
                     steps.load.messages == 1 ? "" : "s", number == 1 ? "" : " each",
                     steps.load.most);
}

std::string node_name(const machine::Topology& topology, int node) {
  const int last = topology.nodes() - 1;
  return topology.label(last) == std::to_string(last) ? std::to_string(node) : topology.label(node);
}

}  // namespace tutti::draw

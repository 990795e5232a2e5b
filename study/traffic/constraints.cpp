// SPDX-License-Identifier: BSD-3-Clause
// Checks each constraint over the messages that it forbids to meet.
#include "traffic/constraints.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "traffic/load.hpp"

namespace tutti::traffic {
namespace {

using Texts = std::vector<std::string>;

void append_shared_links(Texts& out, const Messages& schedule, const machine::Topology& topology) {
  for (const Conflict& conflict : conflicts(schedule)) out.push_back(to_text(conflict, topology));
}

// Reports ranks with several messages in a step; `end` says whether as sender or as receiver.
void append_shared_ends(Texts& out, const Messages& schedule, const machine::Topology& topology,
                        int Message::*end) {
  std::map<std::pair<int, int>, Messages> found;
  for (const Message& message : schedule) found[{message.step, message.*end}].push_back(message);
  for (const auto& [where, messages] : found) {
    if (messages.size() < 2) continue;
    std::string names;
    for (const Message& message : messages)
      names += (names.empty() ? "" : ", ") + to_text(message, topology);
    out.push_back(fmt::format(
        "step {}, rank {} {} {} messages: {}", where.first, topology.label(where.second),
        end == &Message::from ? "sends" : "receives", messages.size(), names));
  }
}

void append_pairs(Texts& out, const Messages& schedule, const Messages& wanted,
                  const machine::Topology& topology) {
  std::map<std::pair<int, int>, std::vector<int>> steps;
  for (const Message& message : wanted) steps[{message.from, message.to}];
  for (const Message& message : schedule) {
    const auto pair = steps.find({message.from, message.to});
    if (pair == steps.end()) {
      out.push_back(fmt::format("step {}: message {} is not asked for", message.step,
                                to_text(message, topology)));
    } else {
      pair->second.push_back(message.step);
    }
  }
  for (const auto& [pair, found] : steps) {
    const std::string name = topology.label(pair.first) + "->" + topology.label(pair.second);
    if (found.empty()) out.push_back(fmt::format("{}: no message in any step", name));
    if (found.size() > 1)
      out.push_back(
          fmt::format("{}: sent in step {} and again in step {}", name, found[0], found[1]));
  }
}

}  // namespace

std::vector<std::string> violations(const Messages& schedule, const Messages& wanted,
                                    const machine::Topology& topology, Receiving receiving) {
  Texts found;
  append_shared_links(found, schedule, topology);
  append_shared_ends(found, schedule, topology, &Message::from);
  if (receiving == Receiving::one_at_a_time)
    append_shared_ends(found, schedule, topology, &Message::to);
  append_pairs(found, schedule, wanted, topology);
  return found;
}

}  // namespace tutti::traffic

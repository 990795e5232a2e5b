// SPDX-License-Identifier: BSD-3-Clause
// Writes messages on links as JSON.
#include "drawing/traffic_json.hpp"

#include "traffic/load.hpp"

namespace tutti::tools {
namespace {

nlohmann::json json_of(const traffic::Message& message, const machine::Topology& topology) {
  nlohmann::json route{message.from};
  for (const machine::Link link : message.route) route.push_back(topology.ends(link).to);
  return {{"from", message.from},
          {"to", message.to},
          {"block_count", message.blocks},
          {"route", route}};
}

nlohmann::json json_of(const traffic::Conflict& conflict, const machine::Topology& topology) {
  nlohmann::json messages = nlohmann::json::array();
  for (const traffic::Message& message : conflict.messages)
    messages.push_back(traffic::to_text(message, topology));
  return {{"step", conflict.step},
          {"link", machine::to_text(topology, conflict.link)},
          {"messages", messages}};
}

}  // namespace

nlohmann::json messages_json(const traffic::Messages& messages, const machine::Topology& topology) {
  nlohmann::json steps = nlohmann::json::array(), conflicts = nlohmann::json::array();
  for (const traffic::StepLoad& load : traffic::loads(messages, topology)) {
    nlohmann::json step{
        {"step", load.step}, {"most", load.most}, {"messages", nlohmann::json::array()}};
    if (load.most > 0) step["link"] = machine::to_text(topology, load.link);
    steps.push_back(std::move(step));
  }
  for (const traffic::Message& message : messages)
    steps[static_cast<std::size_t>(message.step - 1)]["messages"].push_back(
        json_of(message, topology));
  for (const traffic::Conflict& conflict : traffic::conflicts(messages))
    conflicts.push_back(json_of(conflict, topology));
  return {{"topology", topology.name()},
          {"nodes", topology.nodes()},
          {"steps", steps},
          {"conflicts", conflicts}};
}

}  // namespace tutti::tools

// SPDX-License-Identifier: BSD-3-Clause
// Implements `tutti verify --schedule` and `--pattern`.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "formats/load.hpp"
#include "traffic/chart_file.hpp"
#include "traffic/constraints.hpp"
#include "traffic/load.hpp"
#include "verify/verify.hpp"

namespace tutti::tools {
namespace {

constexpr std::size_t most_problems_shown = 20;

std::unique_ptr<machine::Topology> topology_of(const VerifyOptions& options,
                                               const std::string& text) {
  if (!options.call.topology.empty()) return machine::parse_topology(options.call.topology);
  if (auto cube = traffic::topology_of_chart(text)) return cube;
  base::fail(base::Status::invalid_argument,
             "--topology is needed: {} is no chart with the labels of a hypercube",
             options.schedule.empty() ? options.pattern : options.schedule);
}

// Returns the messages that the schedule must deliver: those of the file given with --pattern, or
// without one those of an alltoall.
traffic::Messages wanted(const VerifyOptions& options, const machine::Topology& topology) {
  if (options.pattern.empty())
    return traffic::pairs_of(schedule::Operation::alltoall, schedule::Shape{.p = topology.nodes()});
  return traffic::read_messages(formats::contents_of(options.pattern), options.pattern, topology)
      .messages;
}

void print(const std::string& file, const machine::Topology& topology,
           const traffic::Reading& reading, const std::vector<std::string>& problems) {
  fmt::print("{} on {}: {} messages in {} steps\n", file, topology.name(), reading.messages.size(),
             traffic::last_step(reading.messages));
  for (std::size_t i = 0; i < std::min(problems.size(), most_problems_shown); ++i)
    fmt::print("{}\n", problems[i]);
  if (problems.size() > most_problems_shown)
    fmt::print("and {} more\n", problems.size() - most_problems_shown);
  if (!problems.empty()) return;
  fmt::print(
      "no link carries two messages in a step, no rank sends two, every pair has its message\n");
  const int gap = traffic::least_gap(reading.messages);
  if (gap > 0)
    fmt::print("a link that was used is used again {} step{} later at the earliest\n", gap,
               gap == 1 ? "" : "s");
}

}  // namespace

bool verify_file(const VerifyOptions& options) {
  const std::string& file = options.schedule.empty() ? options.pattern : options.schedule;
  const std::string text = formats::contents_of(file);
  const auto topology = topology_of(options, text);
  const traffic::Reading reading = traffic::read_messages(text, file, *topology);
  if (!options.schedule.empty() && !reading.numbered)
    base::fail(base::Status::invalid_argument, "{} has no steps; --pattern takes pairs without",
               file);
  std::vector<std::string> problems = reading.problems;
  const auto receiving =
      options.one_receive ? traffic::Receiving::one_at_a_time : traffic::Receiving::any_number;
  for (std::string& problem :
       traffic::violations(reading.messages, wanted(options, *topology), *topology, receiving))
    problems.push_back(std::move(problem));
  if (options.call.json) {
    const nlohmann::json result{{"file", file},
                                {"topology", topology->name()},
                                {"correct", problems.empty()},
                                {"messages", reading.messages.size()},
                                {"steps", traffic::last_step(reading.messages)},
                                {"least_gap", traffic::least_gap(reading.messages)},
                                {"problems", problems}};
    // Compilers differ in whether {result} is a list of one or a copy.
    fmt::print("{}", verify_answer("pairs", problems.empty(), nlohmann::json::array({result})));
  } else {
    print(file, *topology, reading, problems);
  }
  return problems.empty();
}

}  // namespace tutti::tools

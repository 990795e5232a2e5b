// SPDX-License-Identifier: BSD-3-Clause
// Implements `tutti verify FILE` for schedules from files.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "formats/load.hpp"
#include "messages.hpp"
#include "schedule/printer.hpp"
#include "verify/verify.hpp"

namespace tutti::tools {
namespace {

nlohmann::json json_of(const std::string& file, const formats::Schedule& schedule,
                       const formats::Refutation& found) {
  const nlohmann::json root =
      has_root(schedule.operation) ? nlohmann::json(schedule.root) : nlohmann::json();
  const CounterExample wrong{schedule.name, schedule.p, schedule.root, found.placement,
                             found.round,   found.rank, found.problem};
  return {{"file", file},
          {"operation", schedule::to_text(schedule.operation)},
          {"algorithm", schedule.name},
          {"ranks", nlohmann::json::array()},
          {"root", root},
          {"correct", false},
          {"problem", found.problem},
          {"counterexample", counterexample_json(wrong, has_root(schedule.operation))}};
}

}  // namespace

bool verify_program(const std::string& path, const VerifyOptions& options) {
  nlohmann::json wrong = nlohmann::json::array();
  for (const std::string& file : formats::schedule_files(path)) {
    const formats::ProgramFile read = formats::schedule_at(file);
    const formats::Refutation found = formats::refutation(read);
    if (found.problem.empty()) continue;
    wrong.push_back(json_of(file, read.schedule, found));
    if (!options.call.json) fmt::print("NOT CORRECT: {}: {}\n", file, found.problem);
  }
  const bool right = wrong.empty();
  if (options.call.json && !right)
    fmt::print("{}", verify_answer("schedules", false, std::move(wrong)));
  return right;
}

bool verify_messages(const std::string& path, const VerifyOptions& options) {
  const formats::MessageRounds found = formats::rounds_of(messages_in(path));
  std::int64_t bytes = 0;
  for (const formats::RoundMessage& message : found.messages) bytes += message.bytes;
  if (options.call.json) {
    nlohmann::json result{{"file", path},    {"ranks", {found.p}},
                          {"correct", true}, {"messages", found.messages.size()},
                          {"bytes", bytes},  {"rounds", found.rounds}};
    // Compilers differ in whether {result} is a list of one or a copy.
    fmt::print("{}", verify_answer("messages", true, nlohmann::json::array({std::move(result)})));
  } else {
    fmt::print(
        "{}: {} ranks, {} messages, {} bytes, {} rounds\n"
        "Every message is received, and no operations wait for each other in a circle. The file "
        "does not say\nwhat the messages mean, so nothing else is proved.\n",
        path, found.p, found.messages.size(), bytes, found.rounds);
  }
  return true;
}

}  // namespace tutti::tools

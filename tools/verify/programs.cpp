// SPDX-License-Identifier: BSD-3-Clause
// Implements `tutti verify FILE` for schedules from files.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "formats/load.hpp"
#include "support/messages.hpp"
#include "support/table.hpp"
#include "verify/verify.hpp"

namespace tutti::tools {

bool verify_program(const std::string& path, const VerifyOptions& options) {
  nlohmann::json wrong = nlohmann::json::array();
  for (const std::string& file : formats::schedule_files(path)) {
    const std::string problem =
        formats::refutation(formats::schedule_in(formats::contents_of(file), file));
    if (problem.empty()) continue;
    wrong.push_back({{"file", file}, {"correct", false}, {"problem", problem}});
    if (!options.call.json) fmt::print("NOT CORRECT: {}: {}\n", file, problem);
  }
  if (options.call.json && !wrong.empty()) fmt::print("{}", json_text(wrong));
  return wrong.empty();
}

bool verify_messages(const std::string& path, const VerifyOptions& options) {
  const formats::MessageRounds found = messages_in(path);
  std::int64_t bytes = 0;
  for (const formats::RoundMessage& message : found.messages) bytes += message.bytes;
  if (options.call.json) {
    fmt::print("{}", json_text(nlohmann::json{{"file", path},
                                              {"ranks", found.p},
                                              {"messages", found.messages.size()},
                                              {"bytes", bytes},
                                              {"rounds", found.rounds}}));
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

// SPDX-License-Identifier: BSD-3-Clause
// Reads files of messages.
#include "messages.hpp"

#include "formats/load.hpp"

namespace tutti::tools {

std::string message_file(const CallOptions& options) {
  return options.operation.ends_with(".goal") ? options.operation : std::string();
}

formats::MatchedGraph messages_in(const std::string& file) {
  return formats::matched(formats::read_goal(formats::contents_of(file), file), file);
}

traffic::Messages traffic_of(const formats::MessageRounds& rounds) {
  traffic::Messages messages;
  for (const formats::RoundMessage& message : rounds.messages)
    messages.push_back(
        {.step = message.round + 1, .from = message.from, .to = message.to, .route = {}});
  return messages;
}

}  // namespace tutti::tools

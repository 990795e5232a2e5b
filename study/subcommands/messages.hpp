// SPDX-License-Identifier: BSD-3-Clause
// Files of messages, which say who sends to whom but name no operation. `tutti verify`, `draw` and
// `simulate` take them.
#pragma once

#include <string>

#include "formats/message_rounds.hpp"
#include "support/call.hpp"
#include "traffic/message.hpp"

namespace tutti::tools {

// Returns the file that stands in place of the operation, if it is one of messages: its name ends
// in .goal. Otherwise returns an empty text.
[[nodiscard]] std::string message_file(const CallOptions& options);

// Reads the file. Throws Error(invalid_argument) that says what is wrong.
[[nodiscard]] formats::MatchedGraph messages_in(const std::string& file);

// Returns the messages without routes; a step is a round.
[[nodiscard]] traffic::Messages traffic_of(const formats::MessageRounds& rounds);

}  // namespace tutti::tools

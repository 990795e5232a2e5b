// SPDX-License-Identifier: BSD-3-Clause
// A graph of messages in rounds, for all that wants rounds: pictures and the simulation. Nothing
// says what the messages mean, so these rounds are no schedule of an operation.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/message_graph.hpp"

namespace tutti::formats {

// A message of a graph in its round, counted from 0.
struct RoundMessage {
  int round = 0;
  int from = 0;
  int to = 0;
  std::int64_t bytes = 0;
};

struct MessageRounds {
  int p = 0;
  int rounds = 0;
  std::vector<RoundMessage> messages;     // by round, then by sender
  std::vector<std::vector<double>> work;  // nanoseconds, by rank and round
  // These Programs are the messages in blocks of `unit` bytes. They use no buffer but `output`.
  std::vector<schedule::Program> programs;
  schedule::Buffers buffers;
  std::int64_t unit = 1;
};

// Gives each message and each piece of work its round: the first one after all that it waits for.
// Messages that wait for each other's sends, as in an exchange, have one round. Throws
// Error(invalid_argument) that names `file` and what is wrong: a message that nobody receives or
// sends, sizes that differ, or a circle of waits.
[[nodiscard]] MessageRounds rounds_of(const MessageGraph& graph, std::string_view file);

}  // namespace tutti::formats

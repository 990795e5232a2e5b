// SPDX-License-Identifier: BSD-3-Clause
// A graph of messages in rounds, for all that wants rounds: pictures and the simulation. Nothing
// says what the messages mean, so these rounds are no schedule of an operation.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/message_graph.hpp"

namespace tutti::formats {

// A stream is what a rank does on one of its processors. A rank that does nothing has one, too.
struct RankStream {
  int rank = 0;
  int processor = 0;
  friend auto operator<=>(const RankStream&, const RankStream&) = default;
};

// One end of a message: the rank, its stream by number, and its network interface. Interfaces are
// counted from 0, in the order of their numbers in the file.
struct MessageEnd {
  int rank = 0;
  int stream = 0;
  int interface = 0;
};

// A message of a graph in its round, counted from 0.
struct RoundMessage {
  int round = 0;
  MessageEnd from;
  MessageEnd to;
  std::int64_t bytes = 0;
};

// A stream begins a round only when another stream of its rank has begun or ended one of its own.
struct StreamWait {
  int stream = 0, round = 0;
  int other = 0, other_round = 0;
  bool ended = true;
};

struct MessageRounds {
  int p = 0;
  int rounds = 0;
  int interfaces = 1;                     // of each rank
  std::vector<RankStream> streams;        // by rank, then by processor
  std::vector<RoundMessage> messages;     // by round, then by sender
  std::vector<std::vector<double>> work;  // nanoseconds, by stream and round
  std::vector<StreamWait> waits;
  // These Programs, one for each stream, are the messages in blocks of `unit` bytes. They use no
  // buffer but `output`.
  std::vector<schedule::Program> programs;
  schedule::Buffers buffers;
  std::int64_t unit = 1;
};

// Gives each message and each piece of work its round: the first one after all that it waits for.
// Messages that wait for each other's sends, as in an exchange, have one round. Each processor of a
// rank goes through the rounds by itself. Throws
// Error(invalid_argument) that names `file` and what is wrong: a message that nobody receives or
// sends, sizes that differ, or a circle of waits.
[[nodiscard]] MessageRounds rounds_of(const MessageGraph& graph, std::string_view file);

}  // namespace tutti::formats

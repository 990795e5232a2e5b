// SPDX-License-Identifier: BSD-3-Clause
// A schedule as other simulators take it: messages and work with sizes in bytes, and what each
// waits for. The graph does not say what the messages mean.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/schedule.hpp"

namespace tutti::formats {

struct MessageNode {
  enum class Kind : std::uint8_t { send, receive, work };
  Kind kind;
  int peer;  // of a message
  std::int64_t
      bytes;  // of the message; of work, how many are combined, once per operand beyond the first
  int round;  // in GOAL the tag, by which messages between two ranks are told apart
  std::vector<int> after;             // nodes of the same rank that must end first
  std::vector<int> after_start = {};  // nodes of the same rank that must have started
  int processor = 0;                  // of the rank, which does the node
  int interface = 0;                  // of the rank, through which a message goes
};
// By rank; the nodes of a rank stand in the order of their rounds.
using MessageGraph = std::vector<std::vector<MessageNode>>;

// The sizes of a call. Work is left out if a byte of it takes no time.
struct GraphCosts {
  std::int64_t bytes = 0;  // of the whole vector
  double nanoseconds = 0;  // to combine a byte
};

// A message or work of a round waits for all that its rank does in the last round before in which
// it does anything.
[[nodiscard]] MessageGraph message_graph(const Schedule& schedule, const GraphCosts& costs);

// Returns the graph in the text form of GOAL, which LogGOPSim's txt2bin takes.
[[nodiscard]] std::string goal_text(const MessageGraph& graph, const GraphCosts& costs);

// Reads GOAL. A byte of the graph's work takes one nanosecond, whatever the file says of it. Throws
// Error(invalid_argument) that names the file, the line and what is not understood. Receives from
// anybody are refused.
[[nodiscard]] MessageGraph read_goal(std::string_view text, std::string_view file);

// Returns the trace of one rank for Chakra, as a file of delimited messages of protobuf.
[[nodiscard]] std::string chakra_trace(const MessageGraph& graph, int rank,
                                       const GraphCosts& costs);

}  // namespace tutti::formats

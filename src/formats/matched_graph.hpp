// SPDX-License-Identifier: BSD-3-Clause
// A graph of messages in which each send knows its receive, and each node what waits for it.
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

struct MatchedNode {
  // A node of the same rank that waits until this one has ended, or else until it has begun.
  struct Follower {
    int node = 0;
    bool ended = true;
  };

  MessageNode::Kind kind{};
  int rank = 0;
  int stream = 0;         // index in MatchedGraph::streams
  int interface = 0;      // of a message, counted from 0
  int tag = 0;            // of a message
  std::int64_t size = 0;  // bytes of a message, nanoseconds of work
  int other = -1;         // the other end of a message
  std::vector<Follower> followers{};

  [[nodiscard]] bool sends() const { return kind == MessageNode::Kind::send; }
  [[nodiscard]] bool receives() const { return kind == MessageNode::Kind::receive; }
  [[nodiscard]] bool works() const { return kind == MessageNode::Kind::work; }
};

struct MatchedGraph {
  int ranks = 0;
  int interfaces = 1;               // of each rank, in the order of their numbers in the file
  std::vector<RankStream> streams;  // by rank, then by processor
  std::vector<MatchedNode> nodes;   // by rank, then as in the file
  std::vector<int> order;           // nodes so that each comes after all that it waits for
};

// The k-th send of a rank to another one with a tag meets the k-th receive there. Throws
// Error(invalid_argument) that names `file` and what is wrong: a message that nobody receives or
// sends, sizes that differ, or a circle of waits.
[[nodiscard]] MatchedGraph matched(const MessageGraph& graph, std::string_view file);

}  // namespace tutti::formats

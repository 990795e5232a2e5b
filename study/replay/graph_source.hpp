// SPDX-License-Identifier: BSD-3-Clause
// Lets the simulator execute a graph of messages: each node of the graph begins when all that it
// waits for is done.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/matched_graph.hpp"
#include "simulate/job.hpp"
#include "simulate/rank_source.hpp"

namespace tutti::replay {

enum class Start { at_once, after_barrier };

// A stream of the graph is a node of the simulation. It has a turn whenever something has ended for
// which it waits: it posts the receives that it may post, and sends what it may send as one round.
// Nodes that become ready meanwhile because something has ended wait for its next turn. Nodes that
// wait for something to begin, or for work of no time, go on at once: in this turn, or in the next
// one of their stream, before other streams of the rank have theirs. So a strand of a record and a
// stream of its graph do all things in one order. A stream does one piece of work after the other,
// while its messages go on.
class GraphSource : public simulate::RankSource {
 public:
  // The graph must outlive the source.
  GraphSource(const formats::MatchedGraph& graph, Start start);

  [[nodiscard]] int nodes() const override { return static_cast<int>(streams_.size()); }
  simulate::RankItem next(int node) override;
  void set_ranks(simulate::SeenRanks& ranks) override { ranks_ = &ranks; }
  void left(int node, int to, int number) override;
  void came(int node, int from, int number) override;

  // Returns where the streams are, with these names.
  [[nodiscard]] simulate::JobHosts hosts(std::vector<std::string> names) const;

 private:
  struct Ready {
    std::deque<int> joins, posts;
    std::vector<int> sends;
    [[nodiscard]] bool empty() const { return joins.empty() && posts.empty() && sends.empty(); }
  };
  struct Stream {
    Ready turn, later;     // nodes that may begin: in this turn, and in the next one
    std::deque<int> work;  // nodes of work that may begin
    int working = -1;
    std::int64_t open = 0;  // nodes that have not ended
    simulate::RequestNumber requests = 0;
    bool has_begun = false, in_turn = false, at_barrier = false;
  };
  struct Turns {
    std::deque<int> due;    // streams that have their turns before others
    std::vector<int> held;  // those others
  };
  struct Progress {
    int waits = 0;   // what must be done before the node begins
    int ends = 1;    // what must be done before it ends
    int number = 0;  // of a message, among those of its pair of streams
  };

  [[nodiscard]] const formats::MatchedNode& at(int i) const {
    return graph_.nodes[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] Progress& progress(int i) { return progress_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] Stream& stream_of(int i) {
    return streams_[static_cast<std::size_t>(at(i).stream)];
  }
  [[nodiscard]] int phase() const { return start_ == Start::after_barrier ? 2 : 1; }
  void number_messages();
  void count_waits();
  [[nodiscard]] simulate::PostReceive post(Stream& stream);
  [[nodiscard]] simulate::SendMessages send(Stream& stream);
  [[nodiscard]] int message(int from, int to, int number) const;
  void begin(int i);
  void end(int i);
  void one_less(int i, int Progress::*count, int cause);
  void go_on();
  void allow(int i, int cause);
  [[nodiscard]] bool begin_turn(int node);
  void join(int i);
  [[nodiscard]] simulate::RankItem end_turn(Stream& stream, Turns& turns);
  void wake(int stream) {
    if (ranks_ != nullptr) ranks_->wake(stream);
  }

  const formats::MatchedGraph& graph_;
  Start start_;
  simulate::SeenRanks* ranks_ = nullptr;
  std::vector<Stream> streams_;
  std::vector<Turns> turns_;                                  // by rank
  std::vector<Progress> progress_;                            // by node
  std::unordered_map<std::uint64_t, std::vector<int>> sent_;  // by pair of streams: sends
  // Nodes for which something is done, the count that is one less, and the stream in whose turn
  // that is so (-1: in none).
  struct Done {
    int node = 0;
    int Progress::*count = nullptr;
    int cause = -1;
  };
  std::vector<Done> done_;
};

}  // namespace tutti::replay

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

// A stream of the graph is a node of the simulation. It posts receives as soon as it may, sends
// what it may send at one instant as one round, and does one piece of work after the other, while
// its messages go on. Work of no time takes no turn: it only joins what it waits for.
class GraphSource : public simulate::RankSource {
 public:
  // The graph must outlive the source.
  GraphSource(const formats::MatchedGraph& graph, Start start);

  [[nodiscard]] int nodes() const override { return static_cast<int>(streams_.size()); }
  simulate::RankItem next(int node) override;
  void set_waker(simulate::Waker& waker) override { waker_ = &waker; }
  void left(int node, int to, int number) override;
  void came(int node, int from, int number) override;

  // Returns where the streams are, with these names.
  [[nodiscard]] simulate::JobHosts hosts(std::vector<std::string> names) const;

 private:
  struct Stream {
    std::deque<int> posts, work;  // nodes that may begin
    std::vector<int> sends;       // so do these
    int working = -1;
    std::int64_t open = 0;  // nodes that have not ended
    simulate::RequestNumber requests = 0;
    bool at_barrier = false;
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
  void one_less(int i, int Progress::*count);
  void go_on();

  const formats::MatchedGraph& graph_;
  Start start_;
  simulate::Waker* waker_ = nullptr;
  std::vector<Stream> streams_;
  std::vector<Progress> progress_;                            // by node
  std::unordered_map<std::uint64_t, std::vector<int>> sent_;  // by pair of streams: sends
  // Nodes for which something is done, with the count that is one less.
  std::vector<std::pair<int, int Progress::*>> done_;
};

}  // namespace tutti::replay

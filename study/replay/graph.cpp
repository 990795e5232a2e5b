// SPDX-License-Identifier: BSD-3-Clause
// Turns the items of ranks into nodes with dependences (graph.hpp).
#include "replay/graph.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "simulate/costs.hpp"

namespace tutti::replay {
namespace {

using namespace simulate;
using formats::MessageNode;
using Kind = MessageNode::Kind;
using Nodes = std::vector<int>;

std::int64_t nanoseconds(Ticks time) {
  return std::llround(static_cast<double>(time) / 1000);
}

// The messages of all ranks. Both ends of a message name it alike.
class GraphMessages {
 public:
  // A round of an operation, or the number of a message outside of operations.
  struct Where {
    std::uint64_t group = 0, number = 0;
    int round = 0;
    friend auto operator<=>(const Where&, const Where&) = default;
  };
  struct Message {
    int tag = -1;
    std::int64_t bytes = -1;  // -1: the sender has not said it yet
    int receive = -1;         // node of the receiver
    int combine = -1;         // node that combines it
  };
  static constexpr std::uint64_t no_group = ~std::uint64_t{0};

  // Returns the next message there, as the sender or the receiver sees it.
  Message& sent(int from, int to, const Where& where) { return next(sent_, from, to, where); }
  Message& received(int from, int to, const Where& where) {
    return next(received_, from, to, where);
  }

  // Gives the receives of the graph their lengths, and their combinations their times.
  void complete(formats::MessageGraph& graph, const std::optional<Costs>& costs) const {
    for (const auto& [key, message] : messages_) {
      const int from = std::get<0>(key), to = std::get<1>(key);
      if (message.bytes < 0 || message.receive < 0)
        base::fail(base::Status::invalid_argument,
                   "a message of rank {} to rank {} is {}, so the file would make no sense", from,
                   to, message.bytes < 0 ? "received and not sent" : "sent and not received");
      auto& nodes = graph[static_cast<std::size_t>(to)];
      nodes[static_cast<std::size_t>(message.receive)].bytes = message.bytes;
      if (message.combine >= 0)
        nodes[static_cast<std::size_t>(message.combine)].bytes =
            nanoseconds(costs->combine(message.bytes));
    }
  }

 private:
  using Place = std::tuple<int, int, Where>;     // sender, receiver, place
  using Key = std::tuple<int, int, Where, int>;  // which of the messages there

  Message& next(std::map<Place, int>& seen, int from, int to, const Where& where) {
    const int which = seen[{from, to, where}]++;
    Message& message = messages_[{from, to, where, which}];
    if (message.tag < 0) message.tag = tags_[{from, to}]++;
    return message;
  }

  std::map<Place, int> sent_, received_;
  std::map<Key, Message> messages_;
  std::map<std::pair<int, int>, int> tags_;
};

// Nodes that follow each other: the program of a rank, or something that it has started.
struct GraphStrand {
  int processor = 0;
  Nodes last{};   // nodes that end before the next ones begin
  Nodes begun{};  // nodes that begin before the next ones do
};

class RankOfGraph {
 public:
  RankOfGraph(int rank, GraphMessages& messages, const std::optional<Costs>& costs)
      : rank_(rank), messages_(messages), costs_(costs) {}

  std::vector<MessageNode> run(RankSource& source) {
    for (;;) {
      const RankItem item = source.next(rank_);
      if (std::holds_alternative<Finish>(item.what)) return std::move(nodes_);
      std::visit([this](const auto& what) { add(what); }, item.what);
    }
  }

 private:
  void add(const RunOperation& run) {
    start(run.request, [&](GraphStrand& strand) { add_rounds(strand, run); });
  }
  void add(const SendMessage& send) {
    const GraphMessages::Where where{GraphMessages::no_group, 0, sent_[send.to]++};
    start(send.request, [&](GraphStrand& strand) {
      join(strand, Kind::send);
      strand.last = {add_send(strand, send.to, send.bytes, where)};
    });
  }
  void add(const PostReceive& receive) {
    const int number = receive.number ? *receive.number : received_[receive.from]++;
    join(program_, Kind::receive);
    open_[receive.request] = {
        0, {add_receive(program_, receive.from, {GraphMessages::no_group, 0, number}).receive}};
  }
  void add(const AwaitRequest& wait) {
    const auto found = open_.find(wait.request);
    if (found == open_.end()) return;
    GraphStrand& strand = found->second;
    if (strand.processor > 0) add_join(strand);
    for (const int node : strand.last)
      if (std::find(program_.last.begin(), program_.last.end(), node) == program_.last.end())
        program_.last.push_back(node);
    taken_.erase(strand.processor);
    open_.erase(found);
  }
  void add(const Compute& compute) { work(program_, ticks(compute.time)); }
  template <class Other>
  void add(const Other& /* other */) {
    base::fail(base::Status::invalid_argument, "rank {} does what GOAL cannot say", rank_);
  }

  // Adds what the program does, or what goes on beside it. What was started has begun before the
  // program goes on.
  template <class Add>
  void start(const std::optional<RequestNumber>& request, const Add& add_to) {
    if (!request) return add_to(program_);
    if (!joined(program_)) add_join(program_);
    GraphStrand strand{take_processor(), program_.last, program_.begun};
    const auto first = nodes_.size();
    add_to(strand);
    if (nodes_.size() > first) program_.begun = first_begun(first);
    open_[*request] = std::move(strand);
  }
  // Returns the nodes of a started strand that begin at once.
  [[nodiscard]] Nodes first_begun(std::size_t first) const {
    Nodes begun;
    const Nodes& after = nodes_[first].after;
    for (std::size_t i = first; i < nodes_.size(); ++i)
      if (nodes_[i].after == after) begun.push_back(static_cast<int>(i));
    return begun;
  }
  // Takes the number after those that are taken, so that streams go on in the order in which they
  // were started. If that is above the limit, takes the lowest that is free.
  int take_processor() {
    constexpr int limit = 64;
    int processor = taken_.empty() ? 1 : *taken_.rbegin() + 1;
    if (processor > limit)
      for (processor = 1; taken_.contains(processor);) ++processor;
    taken_.insert(processor);
    return processor;
  }

  void add_rounds(GraphStrand& strand, const RunOperation& run) {
    NodeRound round;
    for (int t = 0; t < run.operation->rounds(run.member); ++t) {
      round.clear();
      run.operation->read(round, run.member, t);
      if (!round.empty()) add_round(strand, round, {run.group, run.number, t});
    }
  }

  void add_round(GraphStrand& strand, const NodeRound& round, const GraphMessages::Where& where) {
    join(strand, round.receives.empty() ? Kind::send : Kind::receive);
    Nodes all;
    for (const BoundReceive& receive : round.receives) {
      GraphMessages::Message& message = add_receive(strand, receive.from, where);
      all.push_back(message.receive);
      if (!costs_ || receive.then != OnArrival::combined) continue;
      message.combine = add_node(strand, Kind::work, -1, 1, {all.back()}, {});
      all.back() = message.combine;
    }
    for (const BoundSend& send : round.sends)
      all.push_back(add_send(strand, send.to, send.bytes, where));
    if (!all.empty()) finish(strand, std::move(all));
    if (const Ticks time = local_work(round); time > 0) work(strand, time);
  }

  [[nodiscard]] Ticks local_work(const NodeRound& round) const {
    Ticks time = round.computing;
    if (!costs_) return time;
    for (const std::int64_t bytes : round.copies) time += costs_->copy(bytes);
    for (const LocalCombine& combine : round.combines)
      time += (combine.operands - 1) * costs_->combine(combine.bytes);
    return time;
  }

  void work(GraphStrand& strand, Ticks time) {
    const std::int64_t length = nanoseconds(time);
    if (length == 0) return;
    finish(strand, {add_node(strand, Kind::work, -1, length, strand.last, strand.begun)});
  }
  static void finish(GraphStrand& strand, Nodes last) {
    strand.last = std::move(last);
    strand.begun.clear();
  }

  // Puts work of no time behind the last nodes: where there are several, for a shorter file; and
  // between a send and a receive, which would be posted with the send otherwise (GraphSource).
  void join(GraphStrand& strand, Kind next) {
    const auto sends = [&](int node) {
      return nodes_[static_cast<std::size_t>(node)].kind == Kind::send;
    };
    const bool posts =
        next == Kind::receive && std::any_of(strand.last.begin(), strand.last.end(), sends);
    if (strand.last.size() > 1 || posts) add_join(strand);
  }
  void add_join(GraphStrand& strand) {
    strand.last = {add_node(strand, Kind::work, -1, 0, strand.last, {})};
  }
  [[nodiscard]] bool joined(const GraphStrand& strand) const {
    if (strand.last.size() != 1) return false;
    const MessageNode& node = nodes_[static_cast<std::size_t>(strand.last.front())];
    return node.kind == Kind::work && node.bytes == 0 && node.processor == strand.processor;
  }

  int add_send(const GraphStrand& strand, int to, std::int64_t bytes,
               const GraphMessages::Where& where) {
    GraphMessages::Message& message = messages_.sent(rank_, to, where);
    message.bytes = bytes;
    const int node = add_node(strand, Kind::send, to, bytes, strand.last, strand.begun);
    nodes_.back().round = message.tag;
    return node;
  }
  GraphMessages::Message& add_receive(const GraphStrand& strand, int from,
                                      const GraphMessages::Where& where) {
    GraphMessages::Message& message = messages_.received(from, rank_, where);
    message.receive = add_node(strand, Kind::receive, from, 0, strand.last, strand.begun);
    nodes_.back().round = message.tag;
    return message;
  }
  int add_node(const GraphStrand& strand, Kind kind, int peer, std::int64_t bytes, Nodes after,
               Nodes after_start) {
    nodes_.push_back(
        {kind, peer, bytes, 0, std::move(after), std::move(after_start), strand.processor});
    return static_cast<int>(nodes_.size()) - 1;
  }

  int rank_;
  GraphMessages& messages_;
  const std::optional<Costs>& costs_;
  std::vector<MessageNode> nodes_;
  GraphStrand program_;
  std::map<RequestNumber, GraphStrand> open_;
  std::set<int> taken_;                 // processors on which something goes on
  std::map<int, int> sent_, received_;  // by rank: messages outside of operations
};

}  // namespace

formats::MessageGraph graph_of(RankSource& source, const machine::Machine* machine) {
  std::optional<Costs> costs;
  if (machine != nullptr) costs.emplace(*machine);
  GraphMessages messages;
  formats::MessageGraph graph;
  for (int rank = 0; rank < source.nodes(); ++rank)
    graph.push_back(RankOfGraph(rank, messages, costs).run(source));
  messages.complete(graph, costs);
  return graph;
}

}  // namespace tutti::replay

// SPDX-License-Identifier: BSD-3-Clause
// Finds the rounds of a graph of messages. A node that waits until another one has ended has a
// later round, with two exceptions. Work may have the round of the receives of its stream. A
// receive may have the round of sends, because these do not wait for the receives of their round.
#include "formats/message_rounds.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace tutti::formats {
namespace {

class Levelling {
 public:
  explicit Levelling(const MatchedGraph& graph) : graph_(graph), first_(graph.nodes.size(), 0) {}

  MessageRounds run() {
    const bool by_tags = place_by_tags();
    if (!by_tags) place();
    MessageRounds made;
    made.p = graph_.ranks;
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      const MatchedNode& node = graph_.nodes[i];
      if (!node.sends()) continue;
      made.messages.push_back({first_[i], node.rank, at(node.other).rank, node.size});
      made.rounds = std::max(made.rounds, first_[i] + 1);
    }
    std::stable_sort(made.messages.begin(), made.messages.end(),
                     [](const RoundMessage& a, const RoundMessage& b) {
                       return std::tie(a.round, a.from) < std::tie(b.round, b.from);
                     });
    return made;
  }

 private:
  [[nodiscard]] const MatchedNode& at(int i) const {
    return graph_.nodes[static_cast<std::size_t>(i)];
  }
  int& first(int i) { return first_[static_cast<std::size_t>(i)]; }

  // The node has its round, so those that wait for it have theirs at the earliest then.
  void pass_on(int i) {
    const MatchedNode& node = at(i);
    for (const MatchedNode::Follower& follower : node.followers) {
      const MatchedNode& after = at(follower.node);
      const bool exchange = node.sends() && after.receives();
      const bool works = node.receives() && after.works() && node.stream == after.stream;
      const int step = follower.ended && !exchange && !works ? 1 : 0;
      first(follower.node) = std::max(first(follower.node), first(i) + step);
    }
    if (node.sends()) first(node.other) = std::max(first(node.other), first(i));
  }

  // Takes the tags for rounds, as files of tutti have them. Returns false if they cannot be rounds.
  bool place_by_tags() {
    std::map<int, int> round_of;
    for (const MatchedNode& node : graph_.nodes)
      if (!node.works()) round_of.emplace(node.tag, 0);
    int number = 0;
    for (auto& entry : round_of) entry.second = number++;
    std::set<std::tuple<int, int, int>> taken;  // sending and receiving stream, round
    for (const int i : graph_.order) {
      const MatchedNode& node = at(i);
      if (!node.works()) {
        const int round = round_of.at(node.tag);
        const auto key = std::tuple(node.stream, at(node.other).stream, round);
        if (round < first(i) || (node.sends() && !taken.insert(key).second)) return false;
        first(i) = round;
      }
      pass_on(i);
    }
    return true;
  }

  void place() {
    std::fill(first_.begin(), first_.end(), 0);
    std::map<std::pair<int, int>, int> next;  // by sending and receiving stream
    for (const int i : graph_.order) {
      if (at(i).sends()) {
        int& free = next[{at(i).stream, at(at(i).other).stream}];
        first(i) = std::max(first(i), free);
        free = first(i) + 1;
      }
      pass_on(i);
    }
  }

  const MatchedGraph& graph_;
  std::vector<int> first_;  // by node: its round, or the first one that it may have
};

}  // namespace

MessageRounds rounds_of(const MatchedGraph& graph) {
  return Levelling(graph).run();
}

}  // namespace tutti::formats

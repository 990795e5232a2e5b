// SPDX-License-Identifier: BSD-3-Clause
// Finds the receive of each send, and an order of all nodes (matched_graph.hpp).
#include "formats/matched_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/error.hpp"

namespace tutti::formats {
namespace {

constexpr std::size_t most_streams = std::size_t{1} << 16;

class Matching {
 public:
  Matching(const MessageGraph& graph, std::string_view file) : graph_(graph), file_(file) {}

  MatchedGraph run() {
    made_.ranks = static_cast<int>(graph_.size());
    find_streams();
    add_nodes();
    match();
    put_in_order();
    return std::move(made_);
  }

 private:
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    base::fail(base::Status::invalid_argument, "{}: {}", file_,
               fmt::format(format, std::forward<Args>(args)...));
  }

  void find_streams() {
    std::set<int> interfaces{0};
    for (int rank = 0; rank < made_.ranks; ++rank) {
      std::set<int> processors;
      for (const MessageNode& node : graph_[static_cast<std::size_t>(rank)]) {
        processors.insert(node.processor);
        if (node.kind != MessageNode::Kind::work) interfaces.insert(node.interface);
      }
      if (processors.empty()) processors.insert(0);
      for (const int processor : processors) made_.streams.push_back({rank, processor});
    }
    interfaces_.assign(interfaces.begin(), interfaces.end());
    made_.interfaces = static_cast<int>(interfaces_.size());
    const std::size_t all = graph_.size() * interfaces_.size();
    if (made_.streams.size() > most_streams || all > most_streams)
      fail("ranks have {} streams (cpu) and {} interfaces (nic) together, limit {}",
           made_.streams.size(), all, most_streams);
  }

  void add_nodes() {
    for (int rank = 0; rank < made_.ranks; ++rank) {
      const auto first = static_cast<int>(made_.nodes.size());
      for (const MessageNode& node : graph_[static_cast<std::size_t>(rank)])
        made_.nodes.push_back(end_of(rank, node));
      int number = first;
      for (const MessageNode& node : graph_[static_cast<std::size_t>(rank)]) {
        for (const int before : node.after)
          at(first + before).followers.push_back({.node = number, .ended = true});
        for (const int before : node.after_start)
          at(first + before).followers.push_back({.node = number, .ended = false});
        ++number;
      }
    }
  }

  [[nodiscard]] MatchedNode end_of(int rank, const MessageNode& node) const {
    const auto stream = std::lower_bound(made_.streams.begin(), made_.streams.end(),
                                         RankStream{rank, node.processor});
    MatchedNode end{.kind = node.kind,
                    .rank = rank,
                    .stream = static_cast<int>(stream - made_.streams.begin()),
                    .tag = node.round,
                    .size = node.bytes,
                    .other = node.peer};
    if (!end.works())
      end.interface = static_cast<int>(
          std::lower_bound(interfaces_.begin(), interfaces_.end(), node.interface) -
          interfaces_.begin());
    return end;
  }

  // Sender, receiver and tag.
  using Key = std::tuple<int, int, int>;

  void match() {
    std::map<Key, std::vector<int>> sent, received;
    for (int i = 0; i < count(); ++i) {
      const MatchedNode& node = at(i);
      if (node.sends()) sent[{node.rank, node.other, node.tag}].push_back(i);
      if (node.receives()) received[{node.other, node.rank, node.tag}].push_back(i);
    }
    for (const auto& [key, some] : received)
      if (sent.find(key) == sent.end()) unmatched(key, 0, some.size());
    for (const auto& [key, some] : sent) {
      const std::vector<int>& others = received[key];
      if (others.size() != some.size()) unmatched(key, some.size(), others.size());
      for (std::size_t k = 0; k < some.size(); ++k) join(key, some[k], others[k]);
    }
  }

  [[noreturn]] void unmatched(const Key& key, std::size_t sends, std::size_t receives) const {
    fail("rank {} sends {} messages with tag {} to rank {}, which receives {}", std::get<0>(key),
         sends, std::get<2>(key), std::get<1>(key), receives);
  }

  void join(const Key& key, int send, int receive) {
    if (at(send).size != at(receive).size)
      fail("rank {} sends {} bytes with tag {} to rank {}, which receives {}", std::get<0>(key),
           at(send).size, std::get<2>(key), std::get<1>(key), at(receive).size);
    at(send).other = receive;
    at(receive).other = send;
  }

  // A receive comes after its send as well.
  void put_in_order() {
    std::vector<int> waits(made_.nodes.size(), 0);
    for (const MatchedNode& node : made_.nodes) {
      for (const MatchedNode::Follower& follower : node.followers) ++entry(waits, follower.node);
      if (node.sends()) ++entry(waits, node.other);
    }
    for (int i = 0; i < count(); ++i)
      if (entry(waits, i) == 0) made_.order.push_back(i);
    const auto reached = [&](int i) {
      if (--entry(waits, i) == 0) made_.order.push_back(i);
    };
    for (std::size_t next = 0; next < made_.order.size(); ++next) {
      const MatchedNode& node = at(made_.order[next]);
      for (const MatchedNode::Follower& follower : node.followers) reached(follower.node);
      if (node.sends()) reached(node.other);
    }
    if (made_.order.size() < made_.nodes.size()) name_circle(waits);
  }

  // Each node that waits for something has one before it that does, so the way back is a circle.
  [[noreturn]] void name_circle(const std::vector<int>& waits) {
    std::vector<int> before(made_.nodes.size(), -1);
    int at_one = -1;
    for (int i = 0; i < count(); ++i) {
      if (waits[static_cast<std::size_t>(i)] == 0) continue;
      for (const MatchedNode::Follower& follower : at(i).followers)
        entry(before, follower.node) = i;
      if (at(i).sends()) entry(before, at(i).other) = i;
      at_one = i;
    }
    for (int i = 0; i < count(); ++i) at_one = entry(before, at_one);
    int first = -1, now = at_one;
    do {
      if (at(now).sends() && (first < 0 || now < first)) first = now;
      now = entry(before, now);
    } while (now != at_one);
    if (first < 0)
      fail("operations wait for each other in a circle; work of rank {} is one", at(at_one).rank);
    fail("operations wait for each other in a circle; the message of rank {} to rank {} is one",
         at(first).rank, at(at(first).other).rank);
  }

  [[nodiscard]] int count() const { return static_cast<int>(made_.nodes.size()); }
  [[nodiscard]] MatchedNode& at(int i) { return made_.nodes[static_cast<std::size_t>(i)]; }
  static int& entry(std::vector<int>& of, int i) { return of[static_cast<std::size_t>(i)]; }

  const MessageGraph& graph_;
  std::string_view file_;
  MatchedGraph made_;
  std::vector<int> interfaces_;  // as the file numbers them
};

}  // namespace

MatchedGraph matched(const MessageGraph& graph, std::string_view file) {
  return Matching(graph, file).run();
}

}  // namespace tutti::formats

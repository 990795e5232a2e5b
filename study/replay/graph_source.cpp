// SPDX-License-Identifier: BSD-3-Clause
// Follows the dependences of a graph of messages (graph_source.hpp). Of a receive that requires a
// send, only the end waits until the send has ended: the receive is posted when the send has begun.
// Otherwise two ranks that exchange long messages would wait for each other on machines where a
// send waits for its receive.
#include "replay/graph_source.hpp"

#include <utility>

namespace tutti::replay {

using formats::MatchedNode;
using simulate::RankItem;

namespace {

std::uint64_t pair_of(int from, int to) {
  return static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to);
}

// Returns true if the follower begins with the node and ends after it.
bool is_exchange(const MatchedNode& node, const MatchedNode& follower) {
  return node.sends() && follower.receives();
}

}  // namespace

GraphSource::GraphSource(const formats::MatchedGraph& graph, Start start)
    : graph_(graph), start_(start), streams_(graph.streams.size()), progress_(graph.nodes.size()) {
  number_messages();
  count_waits();
}

void GraphSource::number_messages() {
  for (int i = 0; i < static_cast<int>(graph_.nodes.size()); ++i) {
    const MatchedNode& node = at(i);
    if (!node.sends()) continue;
    std::vector<int>& sent = sent_[pair_of(node.stream, at(node.other).stream)];
    progress(i).number = progress(node.other).number = static_cast<int>(sent.size());
    sent.push_back(i);
  }
}

void GraphSource::count_waits() {
  for (const MatchedNode& node : graph_.nodes) {
    ++streams_[static_cast<std::size_t>(node.stream)].open;
    for (const MatchedNode::Follower& follower : node.followers) {
      ++progress(follower.node).waits;
      if (follower.ended && is_exchange(node, at(follower.node))) ++progress(follower.node).ends;
    }
  }
  // Each node gets one more, which is taken from it when all have been counted.
  for (int i = 0; i < static_cast<int>(graph_.nodes.size()); ++i) {
    ++progress(i).waits;
    one_less(i, &Progress::waits);
  }
  go_on();
}

RankItem GraphSource::next(int node) {
  Stream& stream = streams_[static_cast<std::size_t>(node)];
  if (start_ == Start::after_barrier && !stream.at_barrier) {
    stream.at_barrier = true;
    return {1, simulate::EnterBarrier{}};
  }
  if (stream.working >= 0) end(std::exchange(stream.working, -1));
  if (!stream.posts.empty()) return {phase(), post(stream)};
  if (!stream.sends.empty()) return {phase(), send(stream)};
  if (!stream.work.empty()) {
    stream.working = stream.work.front();
    stream.work.pop_front();
    begin(stream.working);
    return {phase(), simulate::Compute{static_cast<double>(at(stream.working).size) / 1000}};
  }
  if (stream.open == 0) return {phase(), simulate::Finish{}};
  return {phase(), simulate::Sleep{}};
}

simulate::PostReceive GraphSource::post(Stream& stream) {
  const int i = stream.posts.front();
  stream.posts.pop_front();
  begin(i);
  return {at(at(i).other).stream, ++stream.requests, progress(i).number};
}

simulate::SendMessages GraphSource::send(Stream& stream) {
  simulate::SendMessages sends;
  sends.request = ++stream.requests;
  const std::vector<int> all = std::exchange(stream.sends, {});
  for (const int i : all)
    sends.messages.push_back({at(at(i).other).stream, progress(i).number, at(i).size});
  for (const int i : all) begin(i);
  return sends;
}

void GraphSource::left(int node, int to, int number) {
  end(message(node, to, number));
}

void GraphSource::came(int node, int from, int number) {
  end(at(message(from, node, number)).other);
}

int GraphSource::message(int from, int to, int number) const {
  return sent_.at(pair_of(from, to))[static_cast<std::size_t>(number)];
}

void GraphSource::begin(int i) {
  for (const MatchedNode::Follower& follower : at(i).followers)
    if (!follower.ended || is_exchange(at(i), at(follower.node)))
      one_less(follower.node, &Progress::waits);
  go_on();
}

void GraphSource::end(int i) {
  one_less(i, &Progress::ends);
  go_on();
}

void GraphSource::one_less(int i, int Progress::*count) {
  done_.emplace_back(i, count);
}

// Lets all nodes begin or end for which nothing is left to wait for. This has no recursion, because
// work of no time makes long chains.
void GraphSource::go_on() {
  for (std::size_t next = 0; next < done_.size(); ++next) {
    const auto [i, count] = done_[next];
    if (--(progress(i).*count) > 0) continue;
    const MatchedNode& node = at(i);
    Stream& stream = stream_of(i);
    const bool joins = node.works() && node.size == 0;
    if (count == &Progress::waits && !joins) {
      if (node.sends())
        stream.sends.push_back(i);
      else
        (node.receives() ? stream.posts : stream.work).push_back(i);
      if (waker_ != nullptr) waker_->wake(node.stream);
      continue;
    }
    --stream.open;
    for (const MatchedNode::Follower& follower : node.followers) {
      const bool exchange = is_exchange(node, at(follower.node));
      if (follower.ended && exchange) done_.emplace_back(follower.node, &Progress::ends);
      if (joins || (follower.ended && !exchange))
        done_.emplace_back(follower.node, &Progress::waits);
    }
    if (stream.open == 0 && waker_ != nullptr) waker_->wake(node.stream);
  }
  done_.clear();
}

simulate::JobHosts GraphSource::hosts(std::vector<std::string> names) const {
  simulate::JobHosts hosts;
  hosts.names = std::move(names);
  hosts.interfaces = graph_.interfaces;
  const bool one_each = static_cast<int>(graph_.streams.size()) == graph_.ranks;
  if (!one_each || graph_.interfaces > 1)
    for (const formats::RankStream& stream : graph_.streams) hosts.place.push_back(stream.rank);
  for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
    const MatchedNode& from = graph_.nodes[i];
    if (!from.sends()) continue;
    const MatchedNode& to = at(from.other);
    if (from.interface != 0 || to.interface != 0)
      hosts.used[{phase(), progress_[i].number + 1, from.stream, to.stream}] = {from.interface,
                                                                                to.interface};
  }
  return hosts;
}

}  // namespace tutti::replay

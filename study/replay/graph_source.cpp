// SPDX-License-Identifier: BSD-3-Clause
// Follows the dependences of a graph of messages (graph_source.hpp). Of a receive that requires a
// send, only the end waits until the send has ended: the receive is posted when the send has begun.
// Otherwise two ranks that exchange long messages would wait for each other on machines where a
// send waits for its receive.
#include "replay/graph_source.hpp"

#include <algorithm>
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
    : graph_(graph),
      start_(start),
      streams_(graph.streams.size()),
      turns_(static_cast<std::size_t>(graph.ranks)),
      progress_(graph.nodes.size()) {
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
    one_less(i, &Progress::waits, -1);
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
  if (!stream.in_turn && !begin_turn(node)) return {phase(), simulate::Sleep{}};
  while (!stream.turn.joins.empty()) {
    const int i = stream.turn.joins.front();
    stream.turn.joins.pop_front();
    join(i);
  }
  if (!stream.turn.posts.empty()) return {phase(), post(stream)};
  if (!stream.turn.sends.empty()) return {phase(), send(stream)};
  const int rank = graph_.streams[static_cast<std::size_t>(node)].rank;
  return end_turn(stream, turns_[static_cast<std::size_t>(rank)]);
}

// Returns false if another stream of the rank has its turn first.
bool GraphSource::begin_turn(int node) {
  Stream& stream = streams_[static_cast<std::size_t>(node)];
  const int rank = graph_.streams[static_cast<std::size_t>(node)].rank;
  Turns& turns = turns_[static_cast<std::size_t>(rank)];
  stream.has_begun = true;
  if (!turns.due.empty()) {
    if (turns.due.front() != node) {
      turns.held.push_back(node);
      return false;
    }
    turns.due.pop_front();
  }
  stream.in_turn = true;
  stream.turn = std::exchange(stream.later, {});
  return true;
}

RankItem GraphSource::end_turn(Stream& stream, Turns& turns) {
  stream.in_turn = false;
  const bool works = stream.later.empty() && !stream.work.empty();
  if (works) {
    stream.working = stream.work.front();
    stream.work.pop_front();
    begin(stream.working);
  }
  if (!turns.due.empty())
    wake(turns.due.front());  // it may have been held
  else
    for (const int held : std::exchange(turns.held, {})) wake(held);
  if (works)
    return {phase(), simulate::Compute{static_cast<double>(at(stream.working).size) / 1000}};
  if (!stream.later.empty()) return {phase(), simulate::Yield{}};
  if (stream.open == 0) return {phase(), simulate::Finish{}};
  return {phase(), simulate::Sleep{}};
}

simulate::PostReceive GraphSource::post(Stream& stream) {
  const int i = stream.turn.posts.front();
  stream.turn.posts.pop_front();
  begin(i);
  return {at(at(i).other).stream, ++stream.requests, progress(i).number};
}

simulate::SendMessages GraphSource::send(Stream& stream) {
  simulate::SendMessages sends;
  sends.request = ++stream.requests;
  const std::vector<int> all = std::exchange(stream.turn.sends, {});
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
      one_less(follower.node, &Progress::waits, at(i).stream);
  go_on();
}

void GraphSource::end(int i) {
  one_less(i, &Progress::ends, -1);
  go_on();
}

// Work of no time begins and ends.
void GraphSource::join(int i) {
  --stream_of(i).open;
  for (const MatchedNode::Follower& follower : at(i).followers)
    one_less(follower.node, &Progress::waits, at(i).stream);
  go_on();
}

void GraphSource::one_less(int i, int Progress::*count, int cause) {
  done_.push_back({i, count, cause});
}

// Lets all nodes begin or end for which nothing is left to wait for.
void GraphSource::go_on() {
  for (std::size_t next = 0; next < done_.size(); ++next) {
    const auto [i, count, cause] = done_[next];
    if (--(progress(i).*count) > 0) continue;
    if (count == &Progress::waits) {
      allow(i, cause);
      continue;
    }
    for (const MatchedNode::Follower& follower : at(i).followers)
      if (follower.ended)
        one_less(follower.node,
                 is_exchange(at(i), at(follower.node)) ? &Progress::ends : &Progress::waits, -1);
    if (--stream_of(i).open == 0) wake(at(i).stream);
  }
  done_.clear();
}

void GraphSource::allow(int i, int cause) {
  const MatchedNode& node = at(i);
  Stream& stream = stream_of(i);
  const bool now = cause == node.stream && stream.in_turn;
  Ready& ready = now ? stream.turn : stream.later;
  if (node.sends())
    ready.sends.push_back(i);
  else if (node.receives())
    ready.posts.push_back(i);
  else
    (node.size == 0 ? ready.joins : stream.work).push_back(i);
  if (now) return;
  std::deque<int>& due = turns_[static_cast<std::size_t>(node.rank)].due;
  const bool is_free = stream.has_begun && stream.working < 0;
  if (cause >= 0 && is_free && std::find(due.begin(), due.end(), node.stream) == due.end())
    due.push_back(node.stream);
  wake(node.stream);
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

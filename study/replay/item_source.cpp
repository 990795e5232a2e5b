// SPDX-License-Identifier: BSD-3-Clause
// Translates recorded items one by one (item_source.hpp).
#include "replay/item_source.hpp"

namespace tutti::replay {

using namespace formats;

simulate::RankItem ItemSource::next(int node) {
  Place& place = at(node);
  while (place.ready.empty()) read_on(node);
  simulate::RankItem item = std::move(place.ready.front());
  place.ready.pop_front();
  return item;
}

std::string ItemSource::phase_name(int node, int phase) const {
  const std::string call = call_of(node, phase);
  return call.empty() ? RankSource::phase_name(node, phase) : call;
}

void ItemSource::translate(int node, const RecordedItem& item) {
  ++at(node).items;
  const double computed = static_cast<double>(item.after) / 1000;
  if (compute_ > 0 && computed > 0)
    put(node, simulate::Compute{computed * compute_});
  else
    not_computed_ += computed;
  if (std::holds_alternative<RecordedShared>(item.what))
    ++shared_[item.call < 0 ? "others" : call_name(node, item.call)];
  std::visit([&](const auto& what) { add(node, what); }, item.what);
}

void ItemSource::add(int node, const RecordedCall& call) {
  simulate::RunOperation run = operation_of(node, call);
  if (call.request != 0) run.request = call.request;
  put(node, run);
}

// A message to oneself takes no time on any machine that is described.
void ItemSource::add(int node, const RecordedSend& send) {
  if (send.to == node) return;
  simulate::SendMessage message{.to = send.to, .bytes = send.bytes};
  if (send.request != 0) message.request = send.request;
  put(node, message);
}

void ItemSource::add(int node, const RecordedReceive& receive) {
  if (at(node).seen.erase({receive.from, receive.message}) == 0)
    await(node, receive.from, receive.message);
}

// The first look that finds a message waits for it.
void ItemSource::add(int node, const RecordedProbe& probe) {
  if (at(node).seen.insert({probe.from, probe.message}).second)
    await(node, probe.from, probe.message);
}

void ItemSource::await(int node, int from, int message) {
  if (from == node) return;
  Place& place = at(node);
  put(node, simulate::PostReceive{from, place.own, message});
  put(node, simulate::AwaitRequest{place.own++});
}

void ItemSource::add(int node, const RecordedPost& post) {
  Place& place = at(node);
  if (place.seen.erase({post.from, post.message}) > 0 || post.from == node) return;
  put(node, simulate::PostReceive{post.from, post.request, post.message});
  place.posted.insert(post.request);
}

void ItemSource::add(int node, const RecordedWait& wait) {
  put(node, simulate::AwaitRequest{wait.request});
  at(node).posted.erase(wait.request);
}

// The last one that comes to a counter lets the others go on.
void ItemSource::add(int node, const RecordedArrival& arrival) {
  ++arrivals_;
  if (ranks_ == nullptr) return;
  std::vector<int>& waiting = arrived_[counter_name(node, arrival.counter)];
  if (static_cast<std::int64_t>(waiting.size()) + 1 < arrival.count) {
    waiting.push_back(node);
    return put(node, simulate::Sleep{});
  }
  for (const int other : std::exchange(waiting, {})) ranks_->wake(other);
}

void ItemSource::add(int node, const RecordedSpending& spending) {
  if (spending.until)
    return put(node, simulate::ComputeUntil{spending.nanoseconds * simulate::ticks_per_nanosecond});
  put(node, simulate::Compute{static_cast<double>(spending.nanoseconds) / 1000});
}

void ItemSource::add(int /* node */, const RecordedShared& /* shared */) {}

void ItemSource::take_at_end(int node, int from, int message) {
  Place& place = at(node);
  put(node, simulate::PostReceive{from, place.own++, message});
}

void ItemSource::end(int node) {
  ++at(node).items;
  for (const simulate::RequestNumber request : at(node).posted)
    put(node, simulate::AwaitRequest{request});
  put(node, simulate::Finish{});
}

}  // namespace tutti::replay

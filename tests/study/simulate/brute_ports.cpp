// SPDX-License-Identifier: BSD-3-Clause
// Nodes of the second simulator that send or receive, on machines whose ports are not parts of
// paths.
#include <cmath>

#include "brute_state.hpp"

namespace tutti::simulate::brute {

using machine::Ports;

bool State::shares_port() const {
  return !exclusive() &&
         (machine.node.ports == Ports::half || machine.node.ports == Ports::windowed);
}

double State::window() const {
  return machine.node.ports == Ports::half ? -1 : machine.node.window + tiny;
}

// Takes a message that has arrived. Returns false if the receiver is sending.
bool State::take(Transit& m) {
  RankState& rank = ranks[at(m.name.to)];
  const double time = machine.node.receive_alpha + machine.node.receive_beta * m.bytes;
  double from = std::max(now - time, rank.taken_until);
  if (shares_port() && (rank.holds_port || rank.sent_at > from) &&
      std::abs(from - rank.sends_since) > window()) {
    if (rank.holds_port) return false;
    from = rank.sent_at;
  }
  if (from > rank.taken_until) rank.receives_since = from;
  m.taken = rank.taken_until = from + time;
  return true;
}

// Takes the messages that have arrived while the node was sending.
void State::take_arrived(RankState& rank) {
  for (const int id : rank.arrived)
    for (Transit& m : transits)
      if (m.sequence == id) take(m);
  rank.arrived.clear();
}

// The message asks for its port, or the port is free again.
void State::launch(Transit& m) {
  RankState& rank = ranks[at(m.name.from)];
  if (m.kind == Transit::Kind::data) {
    m.stage = Transit::Stage::held_back;
    rank.asks_for_port = may_send(rank) ? nullptr : &m;
    if (rank.asks_for_port != nullptr) return;
    rank.holds_port = true;
    rank.sends_since = now;
  }
  begin(m);
}

bool State::may_send(const RankState& rank) const {
  return !shares_port() || rank.taken_until <= now + tiny || now - rank.receives_since <= window();
}

}  // namespace tutti::simulate::brute

// SPDX-License-Identifier: BSD-3-Clause
// Runs the second simulator. An instant handles ends, then ranks, then requests, the lowest rank
// first. The next instant is that at which anything is due.
#include "brute.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "brute_state.hpp"

namespace tutti::simulate {
namespace brute {

State::State(const machine::Machine& of, const JobOperation& what, double block)
    : machine(of), operation(what), unit(block), ranks(static_cast<std::size_t>(what.shape.p)) {
  for (auto& rank : ranks) rank.go_at = 0;
}

bool State::exclusive() const {
  return machine::takes_links(machine.network.switching);
}
bool State::shared() const {
  return machine.network.switching == Switching::share_equal ||
         machine.network.switching == Switching::share_max_min;
}

// ---- ranks ----
bool State::posted(int rank, int round) const {
  return operation.posting == Posting::ahead ? ranks[at(rank)].begun
                                             : round < ranks[at(rank)].posted;
}

int State::open_receives(int rank) const {
  int open = 0;
  for (const Expected& e : ranks[at(rank)].expected) open += e.come ? 0 : 1;
  return open;
}

namespace {

std::size_t longest(const std::vector<schedule::Program>& programs) {
  std::size_t rounds = 0;
  for (const schedule::Program& each : programs) rounds = std::max(rounds, each.size());
  return rounds;
}

}  // namespace

void State::go(int me) {
  RankState& rank = ranks[at(me)];
  rank.go_at.reset();
  rank.begun = true;
  if (rank.paired) {
    rank.paired = false;
    return start_sends(me);
  }
  const auto& program = operation.programs[at(me)];
  if (at(rank.round) >= longest(operation.programs)) {
    if (open_receives(me) > 0 || rank.combining_until > now + tiny) {
      rank.drains = true;
      return;
    }
    rank.end = now;
    return;
  }
  const schedule::Round round =
      at(rank.round) < program.size() ? program[at(rank.round)] : schedule::Round{};
  if (operation.posting == Posting::ahead && forwards(round) &&
      (open_receives(me) > 0 || rank.combining_until > now + tiny)) {
    rank.drains = true;
    return;
  }
  read(me, round);
  rank.posted = rank.round + 1;
  if (operation.pairwise && rank.partner >= 0) return meet_partner(me);
  start_sends(me);
}

// Both partners continue when the later one has come.
void State::meet_partner(int me) {
  RankState& rank = ranks[at(me)];
  rank.waits_for_partner = true;
  RankState& other = ranks[at(rank.partner)];
  if (!other.waits_for_partner || other.partner != me || other.round != rank.round) return;
  const double end =
      now + *machine.synchronisation.pair +
      *machine.synchronisation.pair_hop *
          static_cast<double>(machine.network.topology->route(me, rank.partner).size());
  for (RankState* each : {&rank, &other}) {
    each->waits_for_partner = false;
    each->paired = true;
    each->go_at = end;
  }
}

bool State::forwards(const schedule::Round& round) const {
  for (const auto& op : round.ops)
    if (op.what == schedule::Do::send)
      for (const auto& block : op.blocks)
        if (block.buffer != schedule::Buffer::input) return true;
  return false;
}

double State::bytes(const schedule::Blocks& blocks) const {
  double sum = 0;
  for (const auto& block : blocks) sum += unit * block.count * block.times;
  return sum;
}

void State::read(int me, const schedule::Round& round) {
  RankState& rank = ranks[at(me)];
  rank.local = 0;
  rank.partner = -1;
  for (const auto& op : round.ops) {
    if (op.what == schedule::Do::send) {
      rank.to_send.push_back({op.to.first, bytes(op.blocks)});
    } else if (op.what == schedule::Do::receive) {
      rank.expected.push_back({op.to.first, rank.round, false, false});
    } else if (op.what == schedule::Do::receive_combine) {
      rank.expected.push_back({num(op.operands.back().from), rank.round, true, false});
    } else if (op.what == schedule::Do::copy && operation.copies == Copies::charged) {
      rank.local += machine.node.copy_alpha + machine.node.copy * bytes(op.blocks);
    }
  }
  for (const auto& send : rank.to_send)
    for (const Expected& e : rank.expected)
      if (e.round == rank.round && e.from == send.to) rank.partner = send.to;
}

void State::start_sends(int me) {
  RankState& rank = ranks[at(me)];
  rank.exchanging = true;
  rank.sending = 0;
  while (!rank.to_send.empty()) {
    send_next(me);
    if (machine.node.ports != Ports::unlimited) break;
  }
}

void State::send_next(int me) {
  RankState& rank = ranks[at(me)];
  const auto [to, size] = rank.to_send.front();
  rank.to_send.erase(rank.to_send.begin());
  ++rank.sending;
  ++sent;
  Transit m;
  m.kind = Transit::Kind::data;
  m.name = {1, rank.round + 1, me, to};
  m.bytes = size;
  m.sequence = ++sequence;
  const bool large = size > machine.protocol.threshold;
  if (large && machine.protocol.handover == Handover::reserve) {
    m.stage = Transit::Stage::held_back;
    const int id = m.sequence;
    transits.push_back(m);
    return control(id, me, to, Transit::Kind::request);
  }
  const bool waits = large && machine.protocol.handover == Handover::rendezvous;
  if (waits && !posted(to, rank.round)) m.stage = Transit::Stage::unposted;
  transits.push_back(m);
  if (m.stage == Transit::Stage::held_back) launch(transits.back());
}

void State::control(int about, int from, int to, Transit::Kind kind) {
  Transit m;
  m.kind = kind;
  m.about = about;
  m.name = {1, with(about).name.step, from, to};
  m.sequence = ++sequence;
  transits.push_back(m);
  launch(transits.back());
}

void State::begin(Transit& m) {
  const double alpha =
      m.kind == Transit::Kind::data ? machine.node.alpha : machine.protocol.request_alpha;
  m.held = exclusive() ? std::min(machine.network.held, alpha) : 0;
  if (machine.network.switching == Switching::bus) {
    m.path = {0};
  } else {
    for (const auto link : machine.network.topology->route(m.name.from, m.name.to))
      m.path.push_back(machine.network.topology->index(link));
  }
  const double hops = machine.network.hop * static_cast<double>(m.path.size());
  m.wanted = now + alpha - m.held;
  m.stage = Transit::Stage::asks;
  m.left = m.bytes;
  const double send = machine.node.send_alpha + machine.node.send_beta * m.bytes +
                      (machine::sets_up_path(machine.network.switching) ? hops : 0);
  m.beyond = send - (alpha - m.held);
  if (m.kind == Transit::Kind::data && (shared() || m.beyond <= 0)) m.port_end = now + send;
}

// Handles the end of a message at its receiver. Returns false if the simulation has failed.
bool State::arrive(Transit& m) {
  m.arrived = true;
  m.arrival.reset();
  if (m.kind != Transit::Kind::data) {
    Transit::Kind kind = m.kind;
    const int about = m.about;
    Transit& parent = *std::find_if(transits.begin(), transits.end(),
                                    [&](auto& t) { return t.sequence == about; });
    const Name name = parent.name;
    if (kind == Transit::Kind::request) {
      control(about, name.to, name.from, Transit::Kind::answer);
    } else {
      launch(parent);
    }
    return true;
  }
  if (machine.protocol.handover == Handover::forced && !posted(m.name.to, m.name.step - 1)) {
    failure = "lost";
    return false;
  }
  if (machine.node.ports == Ports::unlimited) {
    m.taken = now;
  } else if (!take(m)) {
    ranks[at(m.name.to)].arrived.push_back(m.sequence);
  }
  return true;
}

// Matches arrived messages with the receives of their round. Returns true if any was matched.
bool State::meet(int me) {
  RankState& rank = ranks[at(me)];
  bool any = false;
  for (Transit& m : transits) {
    if (m.name.to != me || m.met || !m.taken || *m.taken > now + tiny) continue;
    for (Expected& e : rank.expected) {
      if (e.come || e.from != m.name.from || e.round != m.name.step - 1) continue;
      e.come = m.met = any = true;
      if (e.combine)
        rank.combining_until = std::max(now, rank.combining_until) + machine.node.gamma_alpha +
                               machine.node.gamma * m.bytes;
      break;
    }
  }
  return any;
}

bool State::end_round(int me) {
  RankState& rank = ranks[at(me)];
  if (rank.drains && open_receives(me) == 0) {
    rank.drains = false;
    rank.go_at = std::max(now, rank.combining_until);
    return true;
  }
  const bool ahead = operation.posting == Posting::ahead;
  if (!rank.exchanging || rank.sending > 0 || !rank.to_send.empty()) return false;
  if (!ahead && open_receives(me) > 0) return false;
  rank.exchanging = false;
  ++rank.round;
  rank.go_at = (ahead ? now : std::max(now, rank.combining_until)) + rank.local;
  return true;
}

bool State::some_end() {
  Transit* first = nullptr;
  for (Transit& m : transits) {
    const auto due = [&](const std::optional<double>& time) { return time && *time <= now + tiny; };
    const bool flow_ends = m.moving && m.rate > 0 && m.left <= m.rate * tiny * 10;
    if (!due(m.path_end) && !due(m.arrival) && !due(m.port_end) && !flow_ends) continue;
    if (first == nullptr ||
        std::pair(m.name.from, m.sequence) < std::pair(first->name.from, first->sequence))
      first = &m;
  }
  if (first != nullptr) {
    end_of(*first);
    return true;
  }
  for (int rank = 0; rank < count(); ++rank)
    if (meet(rank) || end_round(rank)) return true;
  return false;
}

void State::end_of(Transit& m) {
  if (m.moving && m.left <= m.rate * tiny * 10) {
    m.moving = false;
    const double alone = m.bytes * std::max(machine.node.beta, machine.network.link_beta);
    const double wait = now - m.granted - alone;
    if (m.slowed && wait > 0.001)
      contentions.push_back({m.slowed_at, m.link, m.name, m.blocking, wait});
    if (m.port_later) m.port_end = now;
    m.arrival = now + machine.network.hop * static_cast<double>(m.path.size());
  } else if (m.path_end && *m.path_end <= now + tiny) {
    m.path_end.reset();
    for (auto& [resource, has] : holders)
      if (has.message == m.sequence && has.until == Until::path) has.message = 0;
  } else if (m.port_end && *m.port_end <= now + tiny) {
    m.port_end.reset();
    if (m.moving && m.slowed) {
      m.port_later = true;
      return;
    }
    for (auto& [resource, has] : holders)
      if (has.message == m.sequence && has.until == Until::port) has.message = 0;
    RankState& rank = ranks[at(m.name.from)];
    --rank.sending;
    rank.holds_port = false;
    rank.sent_at = now;
    take_arrived(rank);
    if (!rank.to_send.empty() && machine.node.ports != Ports::unlimited) send_next(m.name.from);
  } else {
    for (auto& [resource, has] : holders)
      if (has.message == m.sequence && has.until == Until::arrival) has.message = 0;
    arrive(m);
  }
}

bool State::some_rank() {
  for (Transit& m : transits) {
    if (m.stage == Transit::Stage::unposted && posted(m.name.to, m.name.step - 1)) {
      launch(m);
      return true;
    }
  }
  for (int rank = 0; rank < count(); ++rank) {
    Transit* const asks = ranks[at(rank)].asks_for_port;
    if (asks != nullptr && may_send(ranks[at(rank)])) {
      launch(*asks);
      return true;
    }
    if (ranks[at(rank)].go_at && *ranks[at(rank)].go_at <= now + tiny) {
      go(rank);
      return true;
    }
  }
  return false;
}

bool State::some_request() {
  Transit* first = nullptr;
  for (Transit& m : transits) {
    if (m.stage != Transit::Stage::asks || m.wanted > now + tiny) continue;
    if (m.waits_for && !passable(*m.waits_for)) continue;
    if (first == nullptr ||
        std::pair(m.name.from, m.sequence) < std::pair(first->name.from, first->sequence))
      first = &m;
  }
  if (first == nullptr) return some_packet();
  request(*first);
  return true;
}

double State::next_time() const {
  double next = std::numeric_limits<double>::infinity();
  const auto consider = [&](double time) {
    if (time > now + tiny) next = std::min(next, time);
  };
  for (const Transit& m : transits) {
    if (m.path_end) consider(*m.path_end);
    if (m.arrival) consider(*m.arrival);
    if (m.port_end) consider(*m.port_end);
    if (m.taken && !m.met) consider(*m.taken);
    if (m.stage == Transit::Stage::asks) consider(m.wanted);
    if (m.moving && m.rate > 0) consider(now + m.left / m.rate);
    for (const Packet& packet : m.packets) consider(packet.wants);
  }
  for (const RankState& rank : ranks) {
    if (rank.go_at) consider(*rank.go_at);
    if (rank.asks_for_port != nullptr) consider(rank.taken_until);
  }
  return next;
}

void State::run() {
  while (failure.empty()) {
    while (failure.empty() && (some_end() || some_rank() || some_request())) {
    }
    if (shared()) set_rates();
    const double next = next_time();
    if (!std::isfinite(next)) break;
    for (Transit& m : transits)
      if (m.moving) m.left -= m.rate * (next - now);
    now = next;
  }
}

}  // namespace brute

BruteResult brute_force(const machine::Machine& machine, const JobOperation& job, double unit) {
  brute::State state(machine, job, unit);
  state.run();
  BruteResult result;
  for (const auto& rank : state.ranks) {
    if (rank.end < 0 && state.failure.empty()) state.failure = "stuck";
    result.ends.push_back(rank.end);
  }
  result.contentions = state.contentions;
  result.port_waits = state.port_waits;
  result.messages = state.sent;
  result.failure = state.failure;
  return result;
}

}  // namespace tutti::simulate

// SPDX-License-Identifier: BSD-3-Clause
// The networks of the second simulator.
#include <algorithm>
#include <cmath>
#include <limits>

#include "brute_state.hpp"

namespace tutti::simulate::brute {

// Returns the number of a port, which is a resource like a link. A node with one port uses port 0
// in both directions.
int State::port(int node, int which) const {
  return 1'000'000 + 2 * node + which;
}

const Transit& State::with(int wanted_sequence) const {
  return *std::find_if(transits.begin(), transits.end(),
                       [&](const Transit& m) { return m.sequence == wanted_sequence; });
}

std::vector<Transit::Resource> State::ports_of(const Transit& m) const {
  if (m.kind != Transit::Kind::data) return {};
  const int from = m.name.from, to = m.name.to;
  const bool sends_on = m.beyond > 0;
  std::vector<Transit::Resource> all;
  switch (machine.node.ports) {
    case Ports::unlimited:
      break;
    case Ports::duplex:
      all = {{port(to, 0), true, Until::arrival}};
      break;
    case Ports::half:
      if (sends_on) all.push_back({port(from, 0), true, Until::port});
      all.push_back({port(to, 0), true, Until::arrival});
      break;
    case Ports::windowed:
      all.push_back({port(from, 0), false, Until::arrival});
      if (sends_on) all.push_back({port(from, 1), true, Until::port});
      all.push_back({port(to, 0), true, Until::arrival});
      all.push_back({port(to, 1), false, Until::arrival});
      break;
  }
  return all;
}

bool State::passable(const Transit::Resource& resource) const {
  const auto found = holders.find(resource.id);
  if (found == holders.end() || found->second.message == 0) return true;
  if (resource.take) return false;
  const Transit& holder = with(found->second.message);
  const bool worm = machine.network.switching != Switching::circuit;
  const double links = worm ? static_cast<double>(holder.path.size()) : 0;
  return now - (holder.granted + machine.network.hop * links) <= machine.node.window;
}

void State::block(Transit& m, const Transit::Resource& on) {
  m.waits_for = on;
  m.waits_for->take = true;  // it looks again when that is free
  m.blocked_since = now;
  m.blocking = with(holders[on.id].message).name;
}

void State::take(Transit& m, const Transit::Resource& resource) {
  if (resource.take) holders[resource.id] = {m.sequence, resource.until};
}

bool State::take_all(Transit& m, const std::vector<Transit::Resource>& resources) {
  for (const auto& resource : resources) {
    if (passable(resource)) continue;
    block(m, resource);
    return false;
  }
  for (const auto& resource : resources) take(m, resource);
  return true;
}

void State::request(Transit& m) {
  if (m.waits_for) {
    if (m.waits_for->id >= port(0, 0)) {
      ++port_waits;
    } else {
      contentions.push_back(
          {m.blocked_since, m.waits_for->id, m.name, m.blocking, now - m.blocked_since});
    }
    m.waits_for.reset();
  }
  if (!exclusive()) {
    m.stage = Transit::Stage::through;
    m.granted = now;
    if (shared()) {
      m.moving = m.left * std::max(machine.node.beta, machine.network.link_beta) > 0;
      if (!m.moving) m.arrival = now + machine.network.hop * static_cast<double>(m.path.size());
    } else {
      m.packets.push_back({std::min(m.bytes, machine.network.packet), 0, now, 0});
    }
    return;
  }
  auto ports = ports_of(m);
  if (machine.network.switching == Switching::circuit) {
    std::vector<Transit::Resource> all;
    for (const int link : m.path) all.push_back({link, true, Until::path});
    all.insert(all.end(), ports.begin(), ports.end());
    if (!take_all(m, all)) return;
    m.granted = now;
    return transfer(m);
  }
  if (m.has < m.path.size()) {
    const Transit::Resource link{m.path[m.has], true, Until::path};
    if (!passable(link)) return block(m, link);
    take(m, link);
    ++m.has;
    m.wanted = now + machine.network.hop;
    return;
  }
  if (!take_all(m, ports)) return;
  m.granted = now - machine.network.hop * static_cast<double>(m.path.size());
  transfer(m);
}

void State::transfer(Transit& m) {
  m.stage = Transit::Stage::through;
  const double hops = machine.network.hop * static_cast<double>(m.path.size());
  m.path_end = m.granted + m.held + machine.network.link_beta * m.bytes + hops;
  m.arrival = m.granted + m.held + machine.node.beta * m.bytes + hops;
  if (m.kind == Transit::Kind::data && m.beyond > 0)
    m.port_end = std::max(now, m.granted + m.beyond);
}

bool State::some_packet() {
  Transit* first = nullptr;
  std::size_t which = 0;
  for (Transit& m : transits) {
    for (std::size_t i = 0; i < m.packets.size(); ++i) {
      if (m.packets[i].wants > now + tiny) continue;
      if (first != nullptr &&
          std::pair(m.name.from, m.sequence) >= std::pair(first->name.from, first->sequence))
        continue;
      first = &m;
      which = i;
    }
  }
  if (first != nullptr) pass(*first, which);
  return first != nullptr;
}

void State::pass(Transit& m, std::size_t which) {
  Packet packet = m.packets[which];
  m.packets.erase(m.packets.begin() + static_cast<std::ptrdiff_t>(which));
  const int link = m.path[packet.hop];
  Medium& medium = media[link];
  const double begin = std::max(now, medium.free),
               service = machine.network.link_beta * packet.bytes;
  if (begin > now && medium.sequence != m.sequence)
    contentions.push_back({now, link, m.name, medium.name, begin - now});
  const double gap = machine.network.switching == Switching::bus ? machine.network.gap : 0;
  medium = {begin + service + gap, m.name, m.sequence};
  const double done = packet.before + packet.bytes;
  if (packet.hop == 0) {
    if (done < m.bytes) {
      const double ready = std::max(m.wanted + machine.node.beta * done, medium.free);
      m.packets.push_back({std::min(m.bytes - done, machine.network.packet), done, ready, 0});
    } else if (m.kind == Transit::Kind::data && m.beyond > 0) {
      const double delay = begin - (m.wanted + machine.node.beta * packet.before);
      m.port_end = std::max(now, m.wanted + m.beyond + delay);
    }
  }
  const double there = begin + service + machine.network.hop;
  if (++packet.hop < m.path.size()) {
    packet.wants = there;
    m.packets.push_back(packet);
  } else if (done >= m.bytes) {
    const double hops = machine.network.hop * static_cast<double>(m.path.size());
    m.arrival = std::max(there, m.wanted + machine.node.beta * m.bytes + hops);
  }
}

namespace {

using OnLinks = std::map<int, std::vector<Transit*>>;
using Limits = std::map<const Transit*, int>;  // the link that keeps a message slow

void divide_equally(const std::vector<Transit*>& moving, const OnLinks& on, double link_beta,
                    double most, Limits& limits) {
  for (Transit* m : moving) {
    m->rate = most;
    for (const int link : m->path) {
      const double share = 1 / link_beta / static_cast<double>(on.at(link).size());
      if (share >= m->rate * (1 - 1e-9)) continue;
      m->rate = share;
      limits[m] = link;
    }
  }
}

bool uses(const Transit* m, int link) {
  return std::find(m->path.begin(), m->path.end(), link) != m->path.end();
}

// Returns the link with the least room for each of the open messages on it, and that room; -1 if no
// link has less than `most`.
std::pair<int, double> tightest(const std::vector<Transit*>& open,
                                const std::map<int, double>& room, double most) {
  std::pair<int, double> found{-1, most};
  for (const auto& entry : room) {
    const int link = entry.first;
    const auto n =
        std::count_if(open.begin(), open.end(), [&](const Transit* m) { return uses(m, link); });
    if (n > 0 && entry.second / static_cast<double>(n) < found.second * (1 - 1e-9))
      found = {link, entry.second / static_cast<double>(n)};
  }
  return found;
}

// All messages get faster together until a link is full, or until they are as fast as they are
// alone.
void grow_together(std::vector<Transit*> open, const OnLinks& on, double link_beta, double most,
                   Limits& limits) {
  std::map<int, double> room;
  for (const auto& [link, there] : on) room[link] = 1 / link_beta;
  while (!open.empty()) {
    const auto [full, least] = tightest(open, room, most);
    std::vector<Transit*> rest;
    for (Transit* m : open) {
      if (full >= 0 && !uses(m, full)) {
        rest.push_back(m);
        continue;
      }
      m->rate = least;
      if (full >= 0) limits[m] = full;
      for (const int link : m->path) room[link] -= least;
    }
    open = rest;
  }
}

const Transit* first_beside(const Transit& m, const std::vector<Transit*>& there) {
  const Transit* first = nullptr;
  for (const Transit* other : there)
    if (other != &m && (first == nullptr || std::pair(other->name.from, other->sequence) <
                                                std::pair(first->name.from, first->sequence)))
      first = other;
  return first;
}

}  // namespace

void State::set_rates() {
  const double link_beta = machine.network.link_beta;
  const double most = 1 / std::max(machine.node.beta, link_beta);
  OnLinks on;
  std::vector<Transit*> moving;
  for (Transit& m : transits) {
    if (!m.moving) continue;
    moving.push_back(&m);
    for (const int link : m.path) on[link].push_back(&m);
  }
  Limits limits;
  if (machine.network.switching == Switching::share_equal) {
    divide_equally(moving, on, link_beta, most, limits);
  } else {
    grow_together(moving, on, link_beta, most, limits);
  }
  for (Transit* m : moving) {
    if (m->slowed || m->rate >= most * (1 - 1e-9)) continue;
    m->slowed = true;
    m->slowed_at = now;
    m->link = limits[m];
    m->blocking = first_beside(*m, on[m->link])->name;
  }
}

}  // namespace tutti::simulate::brute

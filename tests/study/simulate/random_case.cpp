// SPDX-License-Identifier: BSD-3-Clause
// Draws random machines and schedules.
#include "random_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace tutti::simulate {
namespace {

using machine::Handover;
using machine::Ports;
using machine::Switching;
using schedule::Block;
using schedule::Buffer;

constexpr int most_blocks = 40;

class Draw {
 public:
  explicit Draw(std::uint64_t number) : engine_(number) {}

  int below(int n) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(n)); }
  int between(int low, int high) { return low + below(high - low + 1); }
  bool one_in(int n) { return below(n) == 0; }

 private:
  std::mt19937_64 engine_;
};

void draw_node(Draw& draw, machine::Node& node) {
  node.ports = static_cast<Ports>(draw.below(4));
  node.window = draw.below(8);
  node.alpha = draw.between(1, 20);
  node.beta = draw.between(1, 3);
  node.send_alpha = draw.one_in(3) ? draw.below(20) : node.alpha;
  node.send_beta = draw.one_in(3) ? draw.below(2) : node.beta;
  node.receive_alpha = draw.below(12);
  node.receive_beta = draw.below(3);
  node.gamma_alpha = draw.below(4);
  node.gamma = draw.below(3);
  node.copy = draw.below(2);
}

machine::Machine draw_machine(Draw& draw, const std::string& topology, Switching switching) {
  machine::Machine machine;
  machine.name = "random";
  machine.network.topology = machine::parse_topology(topology);
  machine.network.switching = switching;
  draw_node(draw, machine.node);
  machine.network.hop = draw.between(1, 6);
  machine.network.held = draw.below(static_cast<int>(machine.node.alpha) + 1);
  machine.network.link_beta = draw.between(1, 3);
  machine.network.packet = draw.between(3, 60);
  machine.network.gap = draw.below(4);
  machine.synchronisation.pair = draw.between(1, 20);
  machine.synchronisation.pair_hop = draw.below(4);
  const int handover = draw.below(8);
  machine.protocol.handover = handover < 4   ? Handover::eager
                              : handover < 6 ? Handover::reserve
                              : handover < 7 ? Handover::rendezvous
                                             : Handover::forced;
  machine.protocol.threshold = draw.below(40);
  machine.protocol.request_alpha = draw.between(1, 9);
  return machine;
}

// Adds a message from a to b, or one in each direction.
void add_message(Draw& draw, std::vector<schedule::Program>& programs, std::size_t t, int a,
                 int b) {
  const int blocks = draw.one_in(6) ? 0 : draw.between(1, most_blocks);
  const Buffer from = draw.one_in(3) ? Buffer::output : Buffer::input;
  programs[static_cast<std::size_t>(a)][t].send({{from, 0, blocks}}, schedule::Rank{b});
  schedule::Round& round = programs[static_cast<std::size_t>(b)][t];
  if (draw.one_in(3)) {
    round.receive_combine(
        {{Buffer::output, 0, blocks}},
        {schedule::local({{Buffer::output, 0, blocks}}), schedule::remote(schedule::Rank{a})});
  } else {
    round.receive({{Buffer::output, 0, blocks}}, schedule::Rank{a});
  }
}

void draw_round(Draw& draw, std::vector<schedule::Program>& programs, std::size_t t, bool pairs) {
  const int p = static_cast<int>(programs.size());
  std::vector<int> order(programs.size());
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(draw.below(static_cast<int>(i)))]);
  if (pairs) {
    for (std::size_t i = 0; i + 1 < order.size(); i += 2) {
      add_message(draw, programs, t, order[i], order[i + 1]);
      add_message(draw, programs, t, order[i + 1], order[i]);
    }
    return;
  }
  // Each rank sends to another one, some twice, some not at all. Now and then all send to few.
  const int targets = draw.one_in(4) ? std::min(p, 2) : p;
  for (const int rank : order) {
    for (int i = draw.one_in(5) ? 2 : draw.one_in(5) ? 0 : 1; i > 0; --i) {
      const int to = draw.below(targets);
      if (to != rank) add_message(draw, programs, t, rank, to);
    }
  }
  for (const int rank : order)
    if (draw.one_in(6))
      programs[static_cast<std::size_t>(rank)][t].copy({{Buffer::output, 0, 5}},
                                                       {{Buffer::input, 0, 5}});
}

}  // namespace

Case random_case(const std::string& topology, Switching switching, std::uint64_t number) {
  Draw draw(number * 8191 + std::hash<std::string>()(topology) % 1000 +
            static_cast<std::uint64_t>(switching));
  Case made;
  made.machine = draw_machine(draw, topology, switching);
  const int nodes = made.machine.network.topology->nodes();
  JobOperation& operation = made.operation;
  operation.shape.p = draw.one_in(3) && nodes > 2 ? draw.between(2, nodes) : nodes;
  operation.buffers = {most_blocks, most_blocks, 0, most_blocks};
  made.unit = draw.between(1, 4);
  operation.bytes = static_cast<std::int64_t>(made.unit) * most_blocks;
  operation.posting = draw.one_in(2) ? Posting::ahead : Posting::by_round;
  operation.copies = draw.one_in(2) ? Copies::charged : Copies::free;
  operation.pairwise = draw.one_in(4);
  const auto rounds = static_cast<std::size_t>(draw.between(1, 5));
  operation.programs.assign(static_cast<std::size_t>(operation.shape.p), schedule::Program(rounds));
  for (std::size_t t = 0; t < rounds; ++t)
    draw_round(draw, operation.programs, t, operation.pairwise);
  made.text = fmt::format("{}, switching {}, case {}, p = {}", topology,
                          static_cast<int>(switching), number, operation.shape.p);
  return made;
}

}  // namespace tutti::simulate

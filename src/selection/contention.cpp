// SPDX-License-Identifier: BSD-3-Clause
// Counts blocks on ports and links, a round at a time.
#include "selection/contention.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "schedule/block_count.hpp"

namespace tutti::selection {
namespace {

using Loads = std::vector<std::int64_t>;

std::int64_t largest(const Loads& loads) {
  return loads.empty() ? 0 : *std::max_element(loads.begin(), loads.end());
}

// The loads of one round, in blocks.
class Traffic {
 public:
  explicit Traffic(const machine::Topology& topology)
      : topology_(topology),
        out_(static_cast<std::size_t>(topology.nodes())),
        in_(out_.size()),
        links_(static_cast<std::size_t>(topology.links())) {}

  void add(int from, int to, std::int64_t blocks) {
    if (from == to || blocks == 0) return;
    out_[static_cast<std::size_t>(from)] += blocks;
    in_[static_cast<std::size_t>(to)] += blocks;
    for (const machine::Link link : topology_.route(from, to))
      links_[static_cast<std::size_t>(topology_.index(link))] += blocks;
  }

  // Returns how long the round takes, in units of a block through a port. Sets all loads to 0.
  double take(double kappa) {
    const auto ports = static_cast<double>(std::max(largest(out_), largest(in_)));
    const double duration = std::max(ports, static_cast<double>(largest(links_)) / kappa);
    for (Loads* loads : {&out_, &in_, &links_}) std::fill(loads->begin(), loads->end(), 0);
    return duration;
  }

 private:
  const machine::Topology& topology_;
  Loads out_, in_, links_;
};

}  // namespace

double shared_beta(const schedule::Generator& generator, const schedule::Shape& shape,
                   const machine::Topology& topology, double kappa) {
  Traffic traffic(topology);
  double blocks = 0;
  schedule::Round round;
  for (int t = 0; t < generator.rounds(shape); ++t) {
    for (int rank = 0; rank < shape.p; ++rank) {
      round.ops.clear();
      generator.emit(round, shape, schedule::Rank{rank}, t);
      for (const schedule::Op& op : round.ops) {
        if (op.what != schedule::Do::send) continue;
        for (int i = 0; i < op.to.count; ++i) {
          const int to = op.to.first + i * op.to.stride;
          if (to != op.to.except) traffic.add(rank, to, schedule::block_count(op.blocks));
        }
      }
    }
    blocks += traffic.take(kappa);
  }
  return blocks / generator.buffers(shape).parts;
}

}  // namespace tutti::selection

// SPDX-License-Identifier: BSD-3-Clause
// Counts start-ups, blocks on ports and links, combined and copied blocks, a round at a time.
#include "selection/contention.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "schedule/block_count.hpp"

namespace tutti::selection {
namespace {

using machine::Ports;
using schedule::Do;
using schedule::Generator;
using schedule::Op;
using schedule::Shape;

// Calls f for each receiver of a send.
template <class F>
void for_each_receiver(const Op& op, F f) {
  for (int i = 0; i < op.to.count; ++i) {
    const int to = op.to.first + i * op.to.stride;
    if (to != op.to.except) f(to);
  }
}

// One direction of a rank's port in a round.
struct Side {
  double own_starts = 0, shared_start = 0, blocks = 0, largest = 0;
  [[nodiscard]] double starts() const { return std::max(own_starts, shared_start); }
};

// The loads of one round. All maxima are kept up to date while loads grow.
class RoundLoads {
 public:
  RoundLoads(const Ways& ways, int p)
      : ways_(ways),
        p_(p),
        out_(static_cast<std::size_t>(p)),
        in_(out_.size()),
        links_(static_cast<std::size_t>(ways.links())) {}

  void add(const schedule::Round& round, int rank) {
    double combined = 0, copied = 0, starts = 0;
    std::size_t number = 0;  // of the message; with a port for each link all are sent at once
    const bool together = ways_.nodes().ports == Ports::unlimited;
    for (const Op& op : round.ops) {
      const auto blocks = static_cast<double>(schedule::block_count(op.blocks));
      if (op.what == Do::send) {
        for_each_receiver(op, [&](int to) {
          if (to == rank) return;
          if (messages_.size() <= number) messages_.resize(number + 1);
          messages_[number].push_back({rank, to, blocks});
          if (!together) ++number;
        });
      } else if (op.what == Do::copy) {
        copied += blocks;
        starts += ways_.nodes().copy_start;
      } else if (op.what != Do::receive) {
        const double operands = static_cast<double>(op.operands.size()) - 1;
        combined += blocks * operands;
        starts += operands * ways_.nodes().combine_start;
      }
    }
    combined_ = std::max(combined_, combined);
    copied_ = std::max(copied_, copied);
    work_start_ = std::max(work_start_, starts);
  }

  // Adds the round, which occurs so many times, to `sum`, and forgets it. A rank sends one message
  // after the other, so on links the first messages of all ranks meet, then the second ones, and so
  // on.
  void take(double times, Counted& sum) {
    double links = 0;
    for (std::vector<Message>& messages : messages_) {
      for (const Message& message : messages) send(message);
      links += busiest_link_;
      for (const int link : links_used_) links_[at(link)] = 0;
      links_used_.clear();
      messages.clear();
      busiest_link_ = 0;
    }
    longest_ = std::max(longest_, links);
    sum.terms.alpha += times * (start_ + work_start_);
    sum.terms.beta += times * longest_;
    sum.terms.gamma += times * combined_;
    sum.terms.hops += times * hops_;
    sum.terms.copied += times * copied_;
    sum.distance += times * distance_;
    for (const int rank : ranks_used_) out_[at(rank)] = in_[at(rank)] = {};
    ranks_used_.clear();
    start_ = work_start_ = longest_ = hops_ = combined_ = copied_ = distance_ = 0;
  }

 private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  struct Message {
    int from, to;
    double blocks;
  };

  void send(const Message& message) {
    const auto [from, to, blocks] = message;
    ways_.find(from, to, way_);
    use(from);
    use(to);
    const double load = blocks * way_.port;
    add(out_[at(from)], ways_.nodes().next_send, load);
    add(in_[at(to)], ways_.nodes().next_receive, load);
    note(from);
    note(to);
    const double on_link = blocks * way_.link;
    for (const int link : way_.links) {
      double& there = links_[at(link)];
      if (there == 0) links_used_.push_back(link);
      there += on_link;
      busiest_link_ = std::max(busiest_link_, there);
    }
    hops_ = std::max<double>(hops_, way_.hops);
    const int apart = std::abs(from - to);
    distance_ += blocks * std::min(apart, p_ - apart);
  }

  void use(int rank) {
    if (out_[at(rank)].starts() == 0 && in_[at(rank)].starts() == 0) ranks_used_.push_back(rank);
  }
  void add(Side& side, double next, double load) const {
    side.largest = std::max(side.largest, load);
    side.blocks += load;
    if (!way_.own_start)
      side.shared_start = std::max(side.shared_start, way_.start);
    else
      side.own_starts += side.own_starts == 0 ? way_.start : next * way_.start;
  }

  // Raises what the round needs to what the rank needs.
  void note(int rank) {
    const NodeTimes& nodes = ways_.nodes();
    const Side &out = out_[at(rank)], &in = in_[at(rank)];
    const double sending = std::max(out.largest, nodes.send_byte * out.blocks),
                 receiving = std::max(in.largest, nodes.receive_byte * in.blocks);
    if (nodes.ports == Ports::unlimited) {
      start_ = std::max(start_, way_.start);
      longest_ = std::max({longest_, out.largest, in.largest});
    } else if (nodes.ports == Ports::half) {
      start_ = std::max(start_, out.starts() + in.starts());
      longest_ = std::max(longest_, sending + receiving);
    } else {
      start_ = std::max({start_, out.starts(), in.starts()});
      longest_ = std::max({longest_, sending, receiving});
    }
  }

  const Ways& ways_;
  int p_;
  std::vector<Side> out_, in_;
  std::vector<double> links_;
  std::vector<int> ranks_used_, links_used_;
  std::vector<std::vector<Message>> messages_;  // by their number in the round
  MessageWay way_;
  double busiest_link_ = 0;
  double start_ = 0, work_start_ = 0, longest_ = 0, hops_ = 0, combined_ = 0, copied_ = 0,
         distance_ = 0;
};

// A round that stands for all whose messages are the same.
struct RoundClass {
  int round;
  int times;
};

std::vector<RoundClass> classes_of(const Generator& generator, const Shape& shape) {
  const int rounds = generator.rounds(shape);
  std::vector<int> times(static_cast<std::size_t>(rounds));
  for (int t = 0; t < rounds; ++t)
    ++times[static_cast<std::size_t>(generator.like != nullptr ? generator.like(shape, t) : t)];
  std::vector<RoundClass> classes;
  for (int t = 0; t < rounds; ++t)
    if (const int n = times[static_cast<std::size_t>(t)]; n > 0) classes.push_back({t, n});
  return classes;
}

std::int64_t messages_of(const Generator& generator, const Shape& shape, int rank,
                         const std::vector<RoundClass>& classes) {
  std::int64_t messages = 0;
  schedule::Round round;
  for (const RoundClass& one : classes) {
    round.ops.clear();
    generator.emit(round, shape, schedule::Rank{rank}, one.round);
    for (const Op& op : round.ops)
      if (op.what == Do::send) messages += op.to.count;
  }
  return messages;
}

// Returns how many rounds of its inner generator a round of a pipeline consists of.
std::int64_t inner_rounds(const Generator& generator, const Shape& shape) {
  if (generator.made.by != schedule::Transform::pipelined) return 1;
  return std::max(1, std::min(shape.segments, generator.rounds(shape) - shape.segments + 1));
}

}  // namespace

Counted counted(const Generator& generator, const Shape& shape, const Ways& ways) {
  RoundLoads loads(ways, shape.p);
  Counted sum;
  schedule::Round round;
  for (const RoundClass& one : classes_of(generator, shape)) {
    for (int rank = 0; rank < shape.p; ++rank) {
      round.ops.clear();
      generator.emit(round, shape, schedule::Rank{rank}, one.round);
      loads.add(round, rank);
    }
    loads.take(one.times, sum);
  }
  const double parts = std::max(1, generator.buffers(shape).parts);
  for (double* term : {&sum.terms.beta, &sum.terms.gamma, &sum.terms.copied, &sum.distance})
    *term /= parts;
  return sum;
}

std::int64_t steps_to_count(const Generator& generator, const Shape& shape, std::int64_t enough) {
  const std::vector<RoundClass> classes = classes_of(generator, shape);
  const std::int64_t p = shape.p;
  const std::int64_t rounds =
      p * static_cast<std::int64_t>(classes.size()) * inner_rounds(generator, shape);
  if (rounds >= enough) return rounds;
  // A root or the last rank alone may have many messages. If both have, all ranks may.
  const std::int64_t messages = p * std::min(messages_of(generator, shape, 0, classes),
                                             messages_of(generator, shape, shape.p - 1, classes));
  return std::max(rounds, messages);
}

double shared_beta(const Generator& generator, const Shape& shape,
                   const machine::Topology& topology, double kappa) {
  const NetworkWays ways(topology, std::isinf(kappa) ? 0 : 1 / kappa, {});
  return counted(generator, shape, ways).terms.beta;
}

}  // namespace tutti::selection

// SPDX-License-Identifier: BSD-3-Clause
// Finds steps of a GPU that use one chunk in no order. Steps are ordered by their thread block, by
// the step that they wait for, and by messages. Levelling would choose an order for the others.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "formats/msccl_steps.hpp"

namespace tutti::formats {
namespace {

using schedule::Block;

// The work and the memory that a file may take: steps times thread blocks, of all GPUs and of one,
// and chunks that steps name.
constexpr std::int64_t most_comparisons = std::int64_t{1} << 31;
constexpr std::int64_t most_clocks = std::int64_t{1} << 26;
constexpr std::int64_t most_uses = std::int64_t{1} << 23;

struct StepPlace {
  int gpu = 0, thread_block = 0, step = 0;
};

struct StepNode {
  StepPlace place;
  std::vector<int> before;  // nodes that it waits for
};

// The steps of all GPUs, each after all that it waits for.
class StepOrder {
 public:
  explicit StepOrder(const std::vector<Gpu>& gpus) {
    for (std::size_t gpu = 0; gpu < gpus.size(); ++gpu) add_gpu(gpus[gpu], static_cast<int>(gpu));
    for (auto& [pair, sends_of_pair] : sent_) {
      const std::vector<int>& taken = received_[pair];
      for (std::size_t i = 0; i < std::min(sends_of_pair.size(), taken.size()); ++i)
        node(taken[i]).before.push_back(sends_of_pair[i]);
    }
    sort();
  }

  // Nodes that wait in a circle are left out; levelling names them.
  [[nodiscard]] const std::vector<int>& sorted() const { return sorted_; }
  [[nodiscard]] const StepNode& operator[](int i) const {
    return nodes_[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }

 private:
  StepNode& node(int i) { return nodes_[static_cast<std::size_t>(i)]; }

  void add_gpu(const Gpu& blocks, int gpu) {
    std::vector<int> first;  // node of the first step of each thread block
    int next = static_cast<int>(nodes_.size());
    for (const ThreadBlock& block : blocks) {
      first.push_back(next);
      next += static_cast<int>(block.steps.size());
    }
    for (int b = 0; b < static_cast<int>(blocks.size()); ++b)
      add_block(blocks[static_cast<std::size_t>(b)], {gpu, b, 0}, first);
  }

  void add_block(const ThreadBlock& block, StepPlace place, const std::vector<int>& first) {
    for (const Step& step : block.steps) {
      const int number = static_cast<int>(nodes_.size());
      StepNode& made = nodes_.emplace_back(StepNode{place, {}});
      if (place.step > 0) made.before.push_back(number - 1);
      if (step.thread_block >= 0)
        made.before.push_back(first[static_cast<std::size_t>(step.thread_block)] + step.step);
      if (sends(step.type)) sent_[{place.gpu, block.send, block.channel}].push_back(number);
      if (receives(step.type))
        received_[{block.receive, place.gpu, block.channel}].push_back(number);
      ++place.step;
    }
  }

  void sort() {
    std::vector<std::vector<int>> after(nodes_.size());
    std::vector<std::size_t> waits;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      waits.push_back(nodes_[i].before.size());
      for (const int one : nodes_[i].before)
        after[static_cast<std::size_t>(one)].push_back(static_cast<int>(i));
      if (waits.back() == 0) sorted_.push_back(static_cast<int>(i));
    }
    for (std::size_t k = 0; k < sorted_.size(); ++k)
      for (const int next : after[static_cast<std::size_t>(sorted_[k])])
        if (--waits[static_cast<std::size_t>(next)] == 0) sorted_.push_back(next);
  }

  using Pair = std::tuple<int, int, int>;  // sender, receiver, channel
  std::vector<StepNode> nodes_;
  std::vector<int> sorted_;
  std::map<Pair, std::vector<int>> sent_, received_;
};

// Goes through the steps of one GPU in an order that they may have. Each node has a clock. It says
// how many steps of each thread block of this GPU are done before it or with it.
class StepRaces {
 public:
  StepRaces(const std::vector<Gpu>& gpus, const StepOrder& order, int gpu)
      : blocks_(gpus[static_cast<std::size_t>(gpu)]), order_(order), gpu_(gpu) {}

  std::string run() {
    clocks_.assign(order_.size() * blocks_.size(), 0);
    for (const int i : order_.sorted()) {
      const StepNode& node = order_[i];
      for (const int before : node.before)
        for (std::size_t b = 0; b < blocks_.size(); ++b)
          clock(i, b) = std::max(clock(i, b), clock(before, b));
      if (node.place.gpu != gpu_) continue;
      clock(i, static_cast<std::size_t>(node.place.thread_block)) = node.place.step + 1;
      use(i);
      if (!problem_.empty()) break;
    }
    return problem_;
  }

 private:
  using Cell = std::pair<schedule::Buffer, int>;
  struct Uses {
    int writer = -1;           // the last node that has written the cell
    std::vector<int> readers;  // those that have read it since
  };

  int& clock(int node, std::size_t block) {
    return clocks_[static_cast<std::size_t>(node) * blocks_.size() + block];
  }

  void use(int i) {
    const StepPlace& place = order_[i].place;
    const Step& step = blocks_[static_cast<std::size_t>(place.thread_block)]
                           .steps[static_cast<std::size_t>(place.step)];
    if (step.type == StepType::nop) return;
    const bool takes = step.type == StepType::r || step.type == StepType::rcs;
    if (!takes) read(i, step.source);
    if (step.type == StepType::re) read(i, step.destination);
    if (step.type != StepType::s) write(i, step.destination);
  }

  void read(int i, const Block& block) {
    for (int k = block.first; k < block.first + block.count; ++k) {
      Uses& uses = cells_[{block.buffer, k}];
      follow(i, uses.writer);
      uses.readers.push_back(i);
    }
  }

  void write(int i, const Block& block) {
    for (int k = block.first; k < block.first + block.count; ++k) {
      Uses& uses = cells_[{block.buffer, k}];
      follow(i, uses.writer);
      for (const int reader : uses.readers) follow(i, reader);
      uses = {i, {}};
    }
  }

  // StepNode i comes after the other one in each order of the steps, or one of the two is wrong.
  void follow(int i, int other) {
    if (other < 0 || other == i || !problem_.empty()) return;
    const StepPlace &mine = order_[i].place, &theirs = order_[other].place;
    if (clock(i, static_cast<std::size_t>(theirs.thread_block)) > theirs.step) return;
    problem_ = fmt::format(
        "gpu {}: step {} of tb {} and step {} of tb {} use one chunk, and neither waits for the "
        "other",
        gpu_, theirs.step, theirs.thread_block, mine.step, mine.thread_block);
  }

  const Gpu& blocks_;
  const StepOrder& order_;
  int gpu_;
  std::vector<int> clocks_;
  std::map<Cell, Uses> cells_;
  std::string problem_;
};

}  // namespace

std::string problem_of_order(const std::vector<Gpu>& gpus) {
  std::int64_t steps = 0, blocks = 0, widest = 0, uses = 0;
  for (const Gpu& gpu : gpus) {
    const auto here = static_cast<std::int64_t>(gpu.size());
    blocks += here;
    widest = std::max(widest, here);
    for (const ThreadBlock& block : gpu) {
      steps += static_cast<std::int64_t>(block.steps.size());
      for (const Step& step : block.steps) uses += step.from.count + step.to.count;
    }
  }
  if (steps * blocks > most_comparisons || steps * widest > most_clocks || uses > most_uses)
    return fmt::format("{} steps of {} thread blocks with {} chunks are too many to find races",
                       steps, blocks, uses);
  const StepOrder order(gpus);
  for (int gpu = 0; gpu < static_cast<int>(gpus.size()); ++gpu) {
    std::string problem = StepRaces(gpus, order, gpu).run();
    if (!problem.empty()) return problem;
  }
  return {};
}

}  // namespace tutti::formats

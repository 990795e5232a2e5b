// SPDX-License-Identifier: BSD-3-Clause
// Numbers messages in two stages. First, steps are filled one after the other, each with as many
// messages as fit, those on the busiest links first. Then, one step fewer is tried again and again:
// a message that finds no free step goes where it drives out the fewest others, which have to find
// new steps in turn.
#include "traffic/numbering.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "base/error.hpp"

namespace tutti::traffic {
namespace {

constexpr std::int64_t most_cells = std::int64_t{1} << 26;  // steps times links and ports
constexpr std::size_t most_messages = std::size_t{1} << 20;
constexpr int nobody = -1;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

// The links and ports that each message needs in its step, numbered from 0.
struct Needs {
  std::vector<std::vector<int>> of_message;
  int resources = 0;
};

Needs needs_of(const Messages& messages, const machine::Topology& topology, Receiving receiving) {
  Needs needs;
  const int links = topology.links(), nodes = topology.nodes();
  needs.resources = links + 2 * nodes;
  for (const Message& message : messages) {
    std::vector<int>& list = needs.of_message.emplace_back();
    for (const machine::Link link : message.route) list.push_back(topology.index(link));
    list.push_back(links + message.from);
    if (receiving == Receiving::one_at_a_time) list.push_back(links + nodes + message.to);
  }
  return needs;
}

using Steps = std::vector<int>;  // by message, from 0

int count_of(const Steps& steps) {
  return steps.empty() ? 0 : *std::max_element(steps.begin(), steps.end()) + 1;
}

// Puts the numbers into an order by chance. The order of std::shuffle depends on the C++ library.
// Some orders are likelier than others by a part in 2^44, because the remainders are not quite
// even.
void shuffle(std::vector<int>& numbers, std::mt19937_64& random) {
  for (std::size_t left = numbers.size(); left > 1; --left)
    std::swap(numbers[left - 1], numbers[random() % left]);
}

// Fills steps one after the other.
Steps filled(const Needs& needs, std::mt19937_64& random) {
  const std::size_t count = needs.of_message.size();
  std::vector<int> left(at(needs.resources), 0);  // messages without a step, by resource
  for (const auto& list : needs.of_message)
    for (const int resource : list) ++left[at(resource)];
  Steps steps(count, nobody);
  std::vector<int> waiting(count), used(at(needs.resources), nobody);
  std::iota(waiting.begin(), waiting.end(), 0);
  for (int step = 0; !waiting.empty(); ++step) {
    shuffle(waiting, random);
    const auto urgency = [&](int message) {
      int most = 0;
      for (const int resource : needs.of_message[at(message)])
        most = std::max(most, left[at(resource)]);
      return most;
    };
    std::stable_sort(waiting.begin(), waiting.end(),
                     [&](int a, int b) { return urgency(a) > urgency(b); });
    std::vector<int> rest;
    for (const int message : waiting) {
      const std::vector<int>& list = needs.of_message[at(message)];
      const auto taken = [&](int resource) { return used[at(resource)] == step; };
      if (std::any_of(list.begin(), list.end(), taken)) {
        rest.push_back(message);
        continue;
      }
      steps[at(message)] = step;
      for (const int resource : list) used[at(resource)] = step;
    }
    for (std::size_t i = 0; i < count; ++i)
      if (steps[i] == step)
        for (const int resource : needs.of_message[i]) --left[at(resource)];
    waiting = std::move(rest);
  }
  return steps;
}

// Seeks a numbering with a given number of steps.
class Repair {
 public:
  Repair(const Needs& needs, Steps steps, int count, std::mt19937_64& random)
      : needs_(needs),
        steps_(std::move(steps)),
        count_(count),
        random_(random),
        holder_(at(count) * at(needs.resources), nobody),
        weight_(steps_.size(), 1) {}

  // Returns true if all messages have steps after at most so many moves.
  bool run(std::int64_t& moves) {
    std::vector<int> homeless;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const int message = static_cast<int>(i);
      if (steps_[i] < count_)
        take(message, steps_[i]);
      else
        homeless.push_back(message);
    }
    while (!homeless.empty()) {
      if (moves-- <= 0) return false;
      const int message = homeless.back();
      homeless.pop_back();
      const int step = best_step(message);
      for (const int resource : needs_.of_message[at(message)]) {
        const int other = holder(step, resource);
        if (other == nobody) continue;
        drop(other, step);
        ++weight_[at(other)];
        homeless.push_back(other);
      }
      take(message, step);
    }
    return true;
  }
  [[nodiscard]] const Steps& steps() const { return steps_; }

 private:
  int& holder(int step, int resource) {
    return holder_[at(step) * at(needs_.resources) + at(resource)];
  }
  void take(int message, int step) {
    steps_[at(message)] = step;
    for (const int resource : needs_.of_message[at(message)]) holder(step, resource) = message;
  }
  void drop(int message, int step) {
    for (const int resource : needs_.of_message[at(message)]) holder(step, resource) = nobody;
  }

  // Returns the step in which the message drives out least. Messages that were driven out often
  // weigh more. Ties are decided by chance.
  int best_step(int message) {
    int best = 0;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::uint64_t ties = 0;
    for (int step = 0; step < count_; ++step) {
      std::int64_t cost = 0;
      for (const int resource : needs_.of_message[at(message)])
        if (const int other = holder(step, resource); other != nobody) cost += weight_[at(other)];
      if (cost > least) continue;
      ties = cost < least ? 1 : ties + 1;
      if (cost < least || random_() % ties == 0) best = step;
      least = cost;
    }
    return best;
  }

  const Needs& needs_;
  Steps steps_;
  int count_;
  std::mt19937_64& random_;
  std::vector<int> holder_;  // by step and resource
  std::vector<std::int64_t> weight_;
};

}  // namespace

int StepBounds::least() const {
  return std::max({sends, receives, link});
}

StepBounds bounds_of(const Messages& messages, const machine::Topology& topology,
                     Receiving receiving) {
  const Needs needs = needs_of(messages, topology, receiving);
  std::vector<int> load(at(needs.resources), 0);
  for (const auto& list : needs.of_message)
    for (const int resource : list) ++load[at(resource)];
  const auto links = load.begin() + topology.links(), sends = links + topology.nodes();
  const auto most = [](auto begin, auto end) {
    return begin == end ? 0 : *std::max_element(begin, end);
  };
  return {most(links, sends), most(sends, load.end()), most(load.begin(), links)};
}

Messages numbered(Messages messages, const machine::Topology& topology, Receiving receiving,
                  const Effort& effort) {
  if (messages.size() > most_messages)
    base::fail(base::Status::invalid_argument, "there are {} messages, limit {}", messages.size(),
               most_messages);
  const Needs needs = needs_of(messages, topology, receiving);
  const int least = bounds_of(messages, topology, receiving).least();
  std::mt19937_64 random(effort.seed);
  Steps best;
  for (int i = 0; i < effort.tries && (best.empty() || count_of(best) > least); ++i) {
    Steps steps = filled(needs, random);
    if (best.empty() || count_of(steps) < count_of(best)) best = std::move(steps);
  }
  std::int64_t moves = effort.moves;
  while (count_of(best) > least && moves > 0) {
    const int count = count_of(best) - 1;
    if (std::int64_t{count} * needs.resources > most_cells) break;
    Repair repair(needs, best, count, random);
    if (!repair.run(moves)) break;
    best = repair.steps();
  }
  for (std::size_t i = 0; i < messages.size(); ++i) messages[i].step = best[i] + 1;
  std::stable_sort(messages.begin(), messages.end(),
                   [](const Message& a, const Message& b) { return a.step < b.step; });
  return messages;
}

}  // namespace tutti::traffic

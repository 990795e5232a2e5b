// SPDX-License-Identifier: BSD-3-Clause
// Holds the table of implementations and makes jobs from it.
#include "simulation/implementations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "algorithms/families.hpp"
#include "base/error.hpp"
#include "support/request.hpp"
#include "support/sizes.hpp"

namespace tutti::tools {
namespace {

using machine::Handover;
using machine::Machine;
using schedule::Generator;
using schedule::Shape;
using Phases = Implementation::Phases;

// The table of implementations in paper 004, section 5. The table there has no row for naive and
// the multiphase exchanges.
constexpr std::array<Implementation, 9> every_one{{
    {"linear", "linear", Phases::one, Handover::forced, Sync::barrier},
    {"stable", "stable", Phases::one, Handover::forced, Sync::barrier, Pauses::as_long_as_a_send},
    {"pairwise_F", "pairwise", Phases::one, Handover::forced, Sync::pair},
    {"standard_F", "pairwise", Phases::dimensions, Handover::forced, Sync::pair},
    {"pairwise_U", "pairwise", Phases::one, Handover::reserve, Sync::none},
    {"standard_U", "pairwise", Phases::dimensions, Handover::reserve, Sync::none},
    {"naive", "naive", Phases::one, Handover::forced, Sync::barrier},
    {"multiphase_F", "pairwise", Phases::partition, Handover::forced, Sync::pair},
    {"multiphase_U", "pairwise", Phases::partition, Handover::reserve, Sync::none},
}};

// The schedule of the multiphase exchange leaves every block in its place. The implementations copy
// all blocks at the end of each phase, so this file adds these copies. It removes the schedule's
// own copies, which only serve exchanges in place.
const Generator& multiphase = algorithms::alltoall_multiphase;

bool ends_phase(const Shape& shape, int t) {
  int end = -1;
  for (auto factor = shape.factors.rbegin(); factor != shape.factors.rend(); ++factor)
    if ((end += *factor - 1) == t) return true;
  return false;
}

void shuffled_emit(schedule::Round& out, const Shape& shape, schedule::Rank me, int t) {
  multiphase.emit(out, shape, me, t);
  std::erase_if(out.ops, [](const schedule::Op& op) { return op.what == schedule::Do::copy; });
  if (ends_phase(shape, t))
    out.copy({{schedule::Buffer::output, 0, shape.p}}, {{schedule::Buffer::scratch, 0, shape.p}});
}

const Generator& shuffled() {
  static const Generator generator = [] {
    Generator made = multiphase;
    made.name = "multiphase with shuffles";
    made.emit = shuffled_emit;
    return made;
  }();
  return generator;
}

int dimension_of(int ranks) {
  return std::countr_zero(static_cast<unsigned>(ranks));
}

std::vector<int> phases_of(const Exchange& exchange, int dimension) {
  const Phases phases = exchange.implementation->phases;
  if (phases == Phases::dimensions) return std::vector<int>(static_cast<std::size_t>(dimension), 1);
  if (phases == Phases::partition && !exchange.partition.empty()) return exchange.partition;
  return {dimension};
}

// One phase needs no shuffle, but the standard exchange of one dimension shuffles all the same
// (paper 004, 6.5).
bool shuffles(const Exchange& exchange, const std::vector<int>& phases) {
  return phases.size() > 1 || exchange.implementation->phases == Phases::dimensions;
}

void check(const Exchange& exchange, int ranks) {
  if (const std::string why = why_undefined(exchange, ranks); !why.empty())
    base::fail(base::Status::invalid_argument, "{}", why);
}

// Programs post the receives of forced messages at the very beginning. Those of unforced messages
// receive in each step what the step sends them (paper 004, section 5), as
// examples/complete_exchange.c does.
simulate::Posting posting_of(Handover handover) {
  return handover == Handover::forced ? simulate::Posting::ahead : simulate::Posting::by_round;
}

// Returns the time of a transmission over a mean distance (paper 004, 2.2).
double transmission(const Machine& machine, std::int64_t bytes, double links) {
  return machine.node.alpha + machine.node.beta * static_cast<double>(bytes) +
         machine.network.hop * links;
}

}  // namespace

const char* to_text(Sync sync) {
  constexpr std::array<const char*, 3> names{"none", "barrier", "pair"};
  return names[static_cast<std::size_t>(sync)];
}

Sync sync_named(const std::string& text) {
  for (const Sync sync : {Sync::none, Sync::barrier, Sync::pair})
    if (text == to_text(sync)) return sync;
  base::fail(base::Status::invalid_argument, "--sync: '{}' must be none, barrier or pair", text);
}

std::span<const Implementation> implementations() {
  return every_one;
}

std::string Exchange::name() const {
  return partition.empty() ? implementation->name
                           : fmt::format("{}:{}", implementation->name, fmt::join(partition, "+"));
}

Exchange exchange_named(const std::string& text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string name = text.substr(0, colon);
  const auto found = std::find_if(every_one.begin(), every_one.end(),
                                  [&](const auto& entry) { return entry.name == name; });
  if (found == every_one.end()) {
    std::vector<std::string> names;
    for (const Implementation& entry : every_one) names.emplace_back(entry.name);
    base::fail(base::Status::invalid_argument, "there is no implementation '{}'; there are {}",
               name, fmt::join(names, ", "));
  }
  Exchange exchange{&*found, {}};
  for (std::size_t at = colon; at < text.size();) {
    const std::size_t end = std::min(text.find('+', at + 1), text.size());
    const auto part = numbers_named(text.substr(at + 1, end - at - 1));
    if (found->phases != Phases::partition || !part || part->first < 1 ||
        part->first != part->second)
      base::fail(base::Status::invalid_argument, "'{}' must be {}", text,
                 found->phases == Phases::partition
                     ? name + " with dimensions such as " + name + ":3+2"
                     : name);
    exchange.partition.push_back(part->first);
    at = end;
  }
  return exchange;
}

std::vector<std::vector<int>> partitions(int number) {
  std::vector<std::vector<int>> all{{number}};
  // Each step makes the next lower partition in lexical order: it decreases the last part above 1
  // and fills up the rest.
  for (;;) {
    std::vector<int> next = all.back();
    int left = 0;
    while (!next.empty() && next.back() == 1) {
      ++left;
      next.pop_back();
    }
    if (next.empty()) return all;
    const int largest = --next.back();
    for (++left; left > 0; left -= next.back()) next.push_back(std::min(left, largest));
    all.push_back(std::move(next));
  }
}

std::string why_undefined(const Exchange& exchange, int ranks) {
  if (ranks < 2 || !std::has_single_bit(static_cast<unsigned>(ranks)))
    return fmt::format("{} needs a number of ranks that is a power of two, 2 or more, not {}",
                       exchange.name(), ranks);
  int sum = 0;
  for (const int part : exchange.partition) sum += part;
  if (sum == 0 || sum == dimension_of(ranks)) return "";
  return fmt::format("the phases of {} are no partition of {}, the dimension of {} ranks",
                     exchange.name(), dimension_of(ranks), ranks);
}

Scene scene_of(const Exchange& exchange, const Machine& machine, int ranks, std::int64_t block,
               Sync sync) {
  check(exchange, ranks);
  const Implementation& implementation = *exchange.implementation;
  const int dimension = dimension_of(ranks);
  const std::vector<int> phases = phases_of(exchange, dimension);
  Scene scene;
  scene.machine = machine;
  scene.machine.protocol.handover = implementation.handover;
  simulate::JobOperation operation;
  operation.bytes = block * ranks;
  operation.posting = posting_of(implementation.handover);
  operation.pairwise = sync == Sync::pair;
  operation.copies = simulate::Copies::free;
  operation.generator = &algorithm_named(schedule::Operation::alltoall, implementation.algorithm);
  if (implementation.phases != Phases::one) operation.generator = &multiphase;
  for (const int phase : phases) scene.factors.push_back(1 << phase);
  if (shuffles(exchange, phases)) {
    operation.generator = &shuffled();
    operation.copies = simulate::Copies::charged;
  }
  operation.shape.p = ranks;
  operation.shape.factors = scene.factors;
  if (implementation.pauses == Pauses::as_long_as_a_send)
    operation.idle = transmission(machine, block, dimension / 2.0);
  scene.job.nodes = ranks;
  if (sync != Sync::none) scene.job.phases.emplace_back(simulate::Barrier{});
  scene.job.phases.emplace_back(simulate::Operations{{std::move(operation)}});
  return scene;
}

double formula_of(const Exchange& exchange, const Machine& machine, int ranks, std::int64_t block,
                  Sync sync) {
  check(exchange, ranks);
  const int dimension = dimension_of(ranks);
  const machine::Synchronisation& costs = machine.synchronisation;
  const std::vector<int> phases = phases_of(exchange, dimension);
  double time = exchange.implementation->pauses == Pauses::as_long_as_a_send
                    ? transmission(machine, block, dimension / 2.0)
                    : 0;
  if (sync != Sync::none) time += barrier_time(machine);
  for (const int part : phases) {
    const std::int64_t bytes = block << (dimension - part);
    const int steps = (1 << part) - 1;
    const double distance = part * std::exp2(part - 1);  // sum over all steps
    const bool reserves = exchange.implementation->handover == Handover::reserve &&
                          static_cast<double>(bytes) > machine.protocol.threshold;
    time += steps * (machine.node.alpha + machine.node.beta * static_cast<double>(bytes)) +
            machine.network.hop * distance;
    if (reserves)
      time += 2 * (steps * machine.protocol.request_alpha + machine.network.hop * distance);
    if (sync == Sync::pair)
      time += steps * costs.pair.value_or(0) + costs.pair_hop.value_or(0) * distance;
    if (shuffles(exchange, phases))
      time += machine.node.copy_alpha + machine.node.copy * static_cast<double>(block) * ranks;
  }
  return time;
}

double barrier_time(const Machine& machine) {
  const machine::Synchronisation& costs = machine.synchronisation;
  const auto dimensions = static_cast<double>(machine.network.topology->extents().size());
  return costs.barrier.value_or(0) + costs.barrier_dimension.value_or(0) * dimensions;
}

}  // namespace tutti::tools

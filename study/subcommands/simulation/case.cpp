// SPDX-License-Identifier: BSD-3-Clause
// Sets up jobs, simulates them and evaluates their formulas.
#include "simulation/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.hpp"
#include "replay/graph_source.hpp"
#include "schedule/printer.hpp"
#include "selection/contention.hpp"
#include "selection/headers.hpp"
#include "selection/strategies.hpp"
#include "simulation/recorded.hpp"
#include "support/request.hpp"

namespace tutti::tools {
namespace {

using schedule::Shape;

// Builds the job of a candidate.
Scene scene_of(const Candidate& candidate, const Setting& setting, std::int64_t vector, Sync sync) {
  Scene scene;
  scene.machine = setting.machine;
  scene.factors = candidate.algorithm.settings.factors;
  if (const std::string why = why_undefined(candidate, setting); !why.empty())
    base::fail(base::Status::invalid_argument, "{}", why);
  simulate::JobOperation operation;
  operation.generator = candidate.algorithm.generator;
  operation.shape = candidate.algorithm.settings.shape(setting.ranks, setting.root);
  operation.shape.factors = scene.factors;
  operation.bytes = vector;
  operation.pairwise = sync == Sync::pair;
  operation.posting = simulate::posting_on(setting.machine);
  scene.job.nodes = setting.ranks;
  if (sync != Sync::none) scene.job.phases.emplace_back(simulate::Barrier{});
  scene.job.phases.emplace_back(simulate::Operations{{std::move(operation)}});
  return scene;
}

// Returns the terms of a hybrid from its strategy, and those of other algorithms from their
// headers. If the profile says that links are shared, beta counts the blocks that meet on a link.
std::optional<selection::Terms> terms_of(const Candidate& candidate, const Setting& setting) {
  const auto& [generator, settings] = candidate.algorithm;
  const double kappa = setting.machine.profile.kappa.value;
  if (generator->parameter == schedule::Parameter::factors_and_cut) {
    return selection::cost(setting.operation, selection::strategy_of(settings, setting.ranks),
                           kappa);
  }
  const Shape shape = settings.shape(setting.ranks, setting.root);
  const auto stated = selection::stated(*generator, shape);
  if (!stated) return std::nullopt;
  selection::Terms terms = stated->terms;
  if (!std::isinf(kappa))
    terms.beta = std::max(
        terms.beta,
        selection::shared_beta(*generator, shape, *setting.machine.network.topology, kappa));
  return terms;
}

std::optional<double> formula_of(const Candidate& candidate, const Setting& setting,
                                 std::int64_t vector, Sync sync) {
  const auto terms = terms_of(candidate, setting);
  if (!terms) return std::nullopt;
  const machine::Node& node = setting.machine.node;
  const double barrier = sync == Sync::none ? 0 : barrier_time(setting.machine);
  return barrier +
         selection::time(*terms, {node.alpha, node.beta, node.gamma}, static_cast<double>(vector));
}

// `simulated(options)` returns the report of one run.
template <class Simulated>
void run(Outcome& outcome, const Setting& setting, simulate::Observer* observer,
         const Simulated& simulated) {
  simulate::SimulationOptions options;
  options.top = setting.top;
  options.limit = setting.limit;
  double sum = 0;
  for (int i = 0; i < setting.runs; ++i) {
    options.seed = setting.seed + static_cast<std::uint64_t>(i);
    options.observer = i == 0 ? observer : nullptr;
    simulate::Report report = simulated(options);
    sum += report.time;
    outcome.least = i == 0 ? report.time : std::min(outcome.least, report.time);
    outcome.most = std::max(outcome.most, report.time);
    if (i == 0) outcome.report = std::move(report);
    options.links = false;
  }
  outcome.mean = sum / setting.runs;
}

void run(Outcome& outcome, const Scene& scene, const Setting& setting,
         simulate::Observer* observer) {
  run(outcome, setting, observer, [&](const simulate::SimulationOptions& options) {
    return simulate::simulate(scene.machine, scene.job, options);
  });
}

Outcome exchanged(const Exchange& exchange, const Setting& setting, const Extent& extent, Sync sync,
                  simulate::Observer* observer) {
  Outcome outcome{.name = exchange.name(), .sync = sync, .extent = extent};
  const std::int64_t block = extent.block;
  run(outcome, scene_of(exchange, setting.machine, setting.ranks, block, sync), setting, observer);
  outcome.formula = formula_of(exchange, setting.machine, setting.ranks, block, sync);
  return outcome;
}

// Returns the partition with the least longest time, which is how paper 004 compares (section 6).
Outcome best_partition(Exchange exchange, const Setting& setting, const Extent& extent, Sync sync,
                       simulate::Observer* observer) {
  std::optional<Outcome> best;
  for (auto& partition : partitions(std::countr_zero(static_cast<unsigned>(setting.ranks)))) {
    exchange.partition = std::move(partition);
    Outcome outcome = exchanged(exchange, setting, extent, sync, nullptr);
    if (!best || outcome.most < best->most) best = std::move(outcome);
  }
  return observer == nullptr
             ? *std::move(best)
             : exchanged(exchange_named(best->name), setting, extent, sync, observer);
}

}  // namespace

std::vector<std::string> stream_names(const formats::MatchedGraph& messages) {
  std::vector<std::string> names;
  const bool one_each = static_cast<int>(messages.streams.size()) == messages.ranks;
  if (one_each && messages.interfaces == 1) return names;
  for (const formats::RankStream& stream : messages.streams)
    names.push_back(fmt::format("{} cpu {}", stream.rank, stream.processor));
  return names;
}

std::string node_name(const Setting& setting, int node) {
  return setting.streams.empty() ? std::to_string(node)
                                 : setting.streams[static_cast<std::size_t>(node)];
}

Sync sync_of(const Candidate& candidate, const Setting& setting) {
  const Implementation* implementation = candidate.exchange.implementation;
  return setting.sync.value_or(implementation != nullptr ? implementation->sync : Sync::none);
}

std::string why_undefined(const Candidate& candidate, const Setting& setting) {
  const auto& [generator, settings] = candidate.algorithm;
  if (generator == nullptr) return why_undefined(candidate.exchange, setting.ranks);
  if (generator->applies(settings.shape(setting.ranks, setting.root))) return "";
  return fmt::format("{} {} is not defined for {} ranks{}", schedule::to_text(generator->operation),
                     candidate.name, setting.ranks, needs_clause(*generator));
}

Outcome simulated(const Candidate& candidate, const Setting& setting, const Extent& extent,
                  simulate::Observer* observer) {
  const Sync sync = sync_of(candidate, setting);
  if (candidate.messages != nullptr) {
    Outcome outcome{.name = candidate.name, .sync = sync, .extent = extent};
    run(outcome, setting, observer, [&](const simulate::SimulationOptions& options) {
      const auto start = sync == Sync::none ? replay::Start::at_once : replay::Start::after_barrier;
      replay::GraphSource source(*candidate.messages, start);
      const simulate::JobHosts hosts = source.hosts(stream_names(*candidate.messages));
      return simulate::simulate(setting.machine, source, hosts, options);
    });
    return outcome;
  }
  if (setting.run != nullptr) {
    Outcome outcome{.name = candidate.name, .sync = sync, .extent = extent};
    run(outcome, setting, observer, [&](const simulate::SimulationOptions& options) {
      replay::Replayed found = setting.run->play(setting, options);
      outcome.left_out = std::move(found.left_out);
      return std::move(found.report);
    });
    return outcome;
  }
  if (candidate.algorithm.generator == nullptr) {
    const Extent equal = equal_blocks(extent, setting.operation, setting.ranks, 1);
    return candidate.best_partition
               ? best_partition(candidate.exchange, setting, equal, sync, observer)
               : exchanged(candidate.exchange, setting, equal, sync, observer);
  }
  Outcome outcome{.name = candidate.name, .sync = sync, .extent = extent};
  outcome.price = candidate.price;
  run(outcome, scene_of(candidate, setting, extent.bytes, sync), setting, observer);
  outcome.formula = formula_of(candidate, setting, extent.bytes, sync);
  return outcome;
}

}  // namespace tutti::tools

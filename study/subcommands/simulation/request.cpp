// SPDX-License-Identifier: BSD-3-Clause
// Reads the machines, sizes and algorithms that `tutti simulate` is asked for.
#include "simulation/request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <set>
#include <utility>

#include "algorithms/registry.hpp"
#include "base/error.hpp"
#include "messages.hpp"
#include "simulation/best.hpp"
#include "simulation/recorded.hpp"

namespace tutti::tools {
namespace {

using schedule::Generator;
using schedule::Operation;
using schedule::Parameter;

constexpr int most_dimensions = 20;
constexpr int most_ranks = 1 << most_dimensions;
// A map compares the longest times of several runs. Ten show most of what can go wrong in a run.
constexpr int runs_of_map = 10;

// Returns the requested topologies; an empty text stands for that of the machine's file.
std::vector<std::string> topologies_of(const SimulateOptions& options) {
  if (options.dimensions.empty()) return {options.call.topology};
  if (!options.call.topology.empty())
    base::fail(base::Status::invalid_argument, "-d and --topology exclude each other");
  const auto range = numbers_named(options.dimensions);
  if (!range || range->second > most_dimensions)
    base::fail(base::Status::invalid_argument,
               "-d is '{}' but must be a dimension of a hypercube or a range, 0 to {}",
               options.dimensions, most_dimensions);
  std::vector<std::string> names;
  for (int d = range->first; d <= range->second; ++d)
    names.push_back(fmt::format("hypercube:{}", d));
  return names;
}

machine::Machine machine_of(const SimulateOptions& options, const std::string& name,
                            const std::string& topology) {
  if (name.empty())
    base::fail(base::Status::invalid_argument, "--machine is needed; there are {}, or a file",
               fmt::join(machine::builtin_machines(), ", "));
  machine::Machine machine = machine::load_machine(name, {topology});
  machine.node.noise = options.noise.value_or(machine.node.noise);
  machine.node.drift = options.drift.value_or(machine.node.drift);
  return machine;
}

// A map needs several runs if chance decides how long a run takes. All runs of other machines are
// alike.
int runs_of(const SimulateOptions& options, const machine::Node& node) {
  const bool scatters = node.noise > 0 || node.drift > 0;
  return options.runs.value_or(options.map && scatters ? runs_of_map : 1);
}

void require_room(int ranks, const machine::Machine& machine) {
  const machine::Topology& network = *machine.network.topology;
  if (ranks > network.nodes())
    base::fail(base::Status::invalid_argument, "{} ranks do not fit on the {} nodes of {}, {}",
               ranks, network.nodes(), machine.name, network.name());
}

Setting setting_of(const SimulateOptions& options, Operation operation, machine::Machine machine,
                   int ranks) {
  Setting setting;
  setting.ranks = ranks;
  setting.root = root_of(options.call, setting.ranks);
  setting.machine = std::move(machine);
  setting.operation = operation;
  setting.seed = options.seed;
  setting.runs = runs_of(options, setting.machine.node);
  setting.top = options.top;
  return setting;
}

// Returns true if the algorithm has settings, and neither its name nor an old option gives them.
bool leaves_settings_open(const std::string& text, const selection::Forced& plan) {
  return plan.generator->parameter != Parameter::none && algorithms::settings_in(text).empty() &&
         plan.settings == selection::Settings{};
}

// Says why a candidate is not defined for the setting; empty if it is. Settings that are open may
// be those of no number of ranks, so those that a simulation takes decide.
std::string why_left_out(const Candidate& candidate, const Setting& setting, const Sizes& sizes) {
  const std::string why = why_undefined(candidate, setting);
  if (why.empty() || !candidate.best_settings) return why;
  const Extent extent = sizes.extent(0, setting.operation, setting.ranks);
  return why_undefined(with_settings(candidate, setting, extent), setting);
}

void add_implementation(std::vector<Candidate>& out, const std::string& text, int ranks) {
  Candidate candidate;
  const bool all = text.ends_with(":all");
  candidate.exchange = exchange_named(all ? text.substr(0, text.size() - 4) : text);
  candidate.name = text;
  const bool parts = candidate.exchange.implementation->phases == Implementation::Phases::partition;
  // Throws, because this implementation has no partitions.
  if (all && !parts) static_cast<void>(exchange_named(text));
  candidate.best_partition = parts && !all && candidate.exchange.partition.empty();
  if (!all) return out.push_back(std::move(candidate));
  for (auto& partition : partitions(schedule::ceil_log2(std::max(2, ranks)))) {
    candidate.exchange.partition = std::move(partition);
    candidate.name = candidate.exchange.name();
    out.push_back(candidate);
  }
}

// Returns the default candidates. For the complete exchange on a hypercube with pairwise
// synchronisation, as in paper 004, they are its implementations. Otherwise, they are the
// algorithms that need no factors and are defined for the setting.
std::vector<Candidate> usual(const Setting& setting) {
  std::vector<Candidate> candidates;
  const bool cube = setting.machine.network.topology->name().starts_with("hypercube") &&
                    setting.ranks > 1 && std::has_single_bit(static_cast<unsigned>(setting.ranks));
  if (setting.operation == Operation::alltoall && cube && setting.machine.synchronisation.pair) {
    for (const Implementation& entry : implementations())
      if (entry.phases != Implementation::Phases::partition)
        add_implementation(candidates, entry.name, setting.ranks);
    return candidates;
  }
  for (const Generator* generator : algorithms::all()) {
    const bool factors = generator->parameter == Parameter::factors ||
                         generator->parameter == Parameter::factors_and_cut;
    if (generator->operation != setting.operation || factors) continue;
    if (!generator->applies({.p = setting.ranks, .root = setting.root})) continue;
    candidates.push_back({generator->name, {generator, {}}});
    candidates.back().best_settings = generator->parameter != Parameter::none;
  }
  return candidates;
}

// Only plans that the library could choose have a price, which knows of no synchronisation and no
// chance.
void check_best(const SimulateOptions& options) {
  if (options.best == 0) return;
  if (options.call.algorithm.empty() && options.implementations.empty() && options.sync.empty() &&
      !options.map && !options.runs)
    return;
  base::fail(base::Status::invalid_argument,
             "--best says which plans are simulated, once each: --algorithm, --implementation, "
             "--sync, --map and --runs cannot be given, too");
}

// The algorithms and implementations that the user names. One that is not defined for some of
// several numbers of ranks is left out there.
class Named {
 public:
  Named(const SimulateOptions& options, const Sizes& sizes) : options_(options), sizes_(sizes) {}

  [[nodiscard]] bool any() const {
    return !options_.call.algorithm.empty() || !options_.implementations.empty();
  }
  [[nodiscard]] std::vector<Candidate> candidates_of(const Setting& setting);
  // Throws base::Error(invalid_argument) if one of them is defined for no setting.
  void require_all() const {
    for (const auto& [word, why] : refused_)
      if (!defined_.contains(word)) base::fail(base::Status::invalid_argument, "{}", why);
  }

 private:
  // Adds those candidates of a word that are defined.
  void add(std::vector<Candidate>& out, const std::string& word, std::vector<Candidate> found,
           const Setting& setting) {
    for (Candidate& candidate : found) {
      const std::string why = why_left_out(candidate, setting, sizes_);
      if (!why.empty()) {
        refused_.emplace_back(word, why);
        continue;
      }
      defined_.insert(word);
      out.push_back(std::move(candidate));
    }
  }

  const SimulateOptions& options_;
  const Sizes& sizes_;
  std::vector<std::pair<std::string, std::string>> refused_;  // a word, and why
  std::set<std::string> defined_;                             // for some setting
};

std::vector<Candidate> Named::candidates_of(const Setting& setting) {
  std::vector<Candidate> candidates;
  if (!options_.call.algorithm.empty())
    for (const std::string& word : words_of(options_.call.algorithm))
      add(candidates, word, {algorithm_of(options_.call, setting.operation, word)}, setting);
  if (options_.implementations.empty()) return candidates;
  if (setting.operation != Operation::alltoall)
    base::fail(base::Status::invalid_argument, "--implementation is for alltoall");
  for (const std::string& word : words_of(options_.implementations)) {
    std::vector<Candidate> found;
    add_implementation(found, word, setting.ranks);
    add(candidates, word, std::move(found), setting);
  }
  return candidates;
}

// Returns the numbers of ranks that are simulated on a machine; without -n, one for each node.
std::vector<int> ranks_on(const SimulateOptions& options, const machine::Machine& machine) {
  std::vector<int> ranks = rank_list(options.call, most_ranks);
  if (ranks.empty()) ranks.push_back(machine.network.topology->nodes());
  require_room(ranks.back(), machine);
  return ranks;
}

// Returns the request for messages from a file, which says how long they are.
SimulateRequest request_of_messages(const SimulateOptions& options, const std::string& file) {
  if (sized(options.call) || !options.call.algorithm.empty() || !options.implementations.empty() ||
      !options.call.root.empty() || !rank_list(options.call, most_ranks).empty() || options.map ||
      options.best > 0)
    base::fail(base::Status::invalid_argument,
               "{} says which messages there are and how long: -n, --bytes, --algorithm, "
               "--implementation, --root, --best and --map cannot be given, too",
               file);
  SimulateRequest request{Operation::barrier, {}, {}};
  request.sizes.values.push_back(0);
  const auto messages = std::make_shared<const formats::MatchedGraph>(messages_in(file));
  for (const std::string& topology : topologies_of(options)) {
    Setting setting =
        setting_of(options, Operation::barrier, machine_of(options, options.call.machine, topology),
                   messages->ranks);
    require_room(setting.ranks, setting.machine);
    setting.file = file;
    setting.streams = stream_names(*messages);
    if (!options.sync.empty()) setting.sync = sync_named(options.sync);
    if (setting.sync == Sync::pair)
      base::fail(base::Status::invalid_argument,
                 "{} does not say which messages are exchanges: --sync is none or barrier", file);
    Candidate candidate;
    candidate.name = file;
    candidate.messages = messages;
    request.parts.push_back({std::move(setting), {std::move(candidate)}});
  }
  return request;
}

}  // namespace

Setting setting_of(const SimulateOptions& options, Operation operation, const std::string& machine,
                   int ranks) {
  Setting setting =
      setting_of(options, operation, machine_of(options, machine, options.call.topology), ranks);
  require_room(ranks, setting.machine);
  return setting;
}

Candidate algorithm_of(const CallOptions& call, Operation operation, const std::string& text) {
  selection::Forced plan = plan_of(call, operation, text);
  std::string name = simulated_name(plan);
  Candidate candidate{std::move(name), std::move(plan)};
  candidate.best_settings = leaves_settings_open(text, candidate.algorithm);
  return candidate;
}

std::size_t SimulateRequest::count() const {
  std::size_t candidates = 0;
  for (const Part& part : parts) candidates += part.candidates.size();
  if (best > 0) candidates = parts.size() * static_cast<std::size_t>(best);
  return candidates * sizes.values.size();
}

SimulateRequest request_of(const SimulateOptions& options) {
  const std::string file = message_file(options.call);
  if (!file.empty()) return request_of_messages(options, file);
  const std::string record = recorded_file(options.call);
  if (!record.empty()) return request_of_record(options, record);
  if (!options.compute.empty())
    base::fail(base::Status::invalid_argument, "--compute is for a recorded run, and {} is none",
               options.call.operation);
  check_best(options);
  SimulateRequest request{operation_of(options.call), {}, {}};
  request.best = options.best;
  request.sizes = sizes_of(options.call, "1K");
  if (request.operation == Operation::barrier) request.sizes = {};
  if (request.sizes.values.empty()) request.sizes.values.push_back(0);
  std::vector<std::optional<Sync>> syncs{std::nullopt};
  if (!options.sync.empty()) syncs.clear();
  if (!options.sync.empty())
    for (const std::string& word : words_of(options.sync)) syncs.emplace_back(sync_named(word));
  Named named(options, request.sizes);
  for (const std::string& topology : topologies_of(options)) {
    const machine::Machine machine = machine_of(options, options.call.machine, topology);
    for (const int ranks : ranks_on(options, machine)) {
      Setting setting = setting_of(options, request.operation, machine, ranks);
      setting.sized_by = request.sizes.of;
      std::vector<Candidate> candidates;
      if (request.best == 0)
        candidates = named.any() ? named.candidates_of(setting) : usual(setting);
      if (named.any() && candidates.empty()) continue;
      for (const std::optional<Sync> sync : syncs) {
        setting.sync = sync;
        request.parts.push_back({setting, candidates});
      }
    }
  }
  named.require_all();
  return request;
}

}  // namespace tutti::tools

// SPDX-License-Identifier: BSD-3-Clause
// Paper 004, sections 5 and 6: the six implementations are simulated, and their order is compared
// with the paper's statements.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "papers/runs.hpp"
#include "papers/simulated.hpp"
#include "simulate/simulate.hpp"
#include "simulation/implementations.hpp"

namespace tutti::papers {
namespace {

constexpr const char* simulated = "simulator";
constexpr const char* six[] = {"linear",     "stable",     "pairwise_F",
                               "standard_F", "pairwise_U", "standard_U"};
constexpr double largest_short = 128;  // the paper runs the other implementations up to this size

const machine::Machine& cube() {
  static const machine::Machine machine = machine::load_machine("ipsc860");
  return machine;
}

double exchange_time(const char* name, int dimension, std::int64_t block) {
  const Exchange exchange = exchange_named(name);
  const machine::Machine machine =
      machine::load_machine("ipsc860", {fmt::format("hypercube:{}", dimension)});
  const Scene scene =
      scene_of(exchange, machine, 1 << dimension, block, exchange.implementation->sync);
  return time_of(scene.machine, scene.job);
}

bool competes(const std::string& name, std::int64_t block) {
  const bool always = name == "linear" || name == "stable" || name == "pairwise_F";
  return always || static_cast<double>(block) <= largest_short;
}

std::string winner(int dimension, std::int64_t block) {
  std::string best;
  double least = 0;
  for (const char* name : six) {
    if (!competes(name, block)) continue;
    const double time = exchange_time(name, dimension, block);
    if (best.empty() || time < least) {
      best = name;
      least = time;
    }
  }
  return best;
}

Result table_5(const Item& item) {
  Result result;
  const std::map<Sync, const char*> words{
      {Sync::none, "none"}, {Sync::barrier, "global"}, {Sync::pair, "global and pairwise"}};
  for (const char* name : six) {
    const Implementation& ours = *exchange_named(name).implementation;
    const bool forced = ours.handover == machine::Handover::forced;
    result.row(fmt::format("{}: synchronisation", name),
               item.printed.text(fmt::format("{}.synchronisation", name)), words.at(ours.sync), "",
               "table of `tutti simulate`");
    result.row(fmt::format("{}: messages", name),
               item.printed.text(fmt::format("{}.messages", name)), forced ? "forced" : "unforced",
               "", "table of `tutti simulate`");
  }
  return result;
}

void add_machine(Result& result) {
  add_parameters(result, cube());
  result.notes.emplace_back(
      "The costs of synchronisation and of permuting blocks are not in the paper; the machine file "
      "has them as assumed. The paper's points are not in its text: what it says about them is "
      "compared.");
}

Result table_6(const Item&) {
  Result result;
  for (int dimension = 1; dimension <= 7; ++dimension) {
    std::string last, regions;
    for (std::int64_t block = 1; block <= 4096; block *= 2) {
      const std::string best = winner(dimension, block);
      if (best != last)
        regions += fmt::format("{}{} from {}", regions.empty() ? "" : ", ", best, block);
      last = best;
    }
    result.row(fmt::format("dimension {}: the best, from which block size on", dimension), {},
               regions, "", simulated);
  }
  const auto say = [&](const std::string& label, bool holds) {
    result.row(label, "yes", holds ? "yes" : "no", "", simulated);
  };
  say("d = 1: pairwise_U for small blocks", winner(1, 8) == "pairwise_U");
  say("d = 1: linear for large blocks", winner(1, 4096) == "linear");
  say("d = 2: pairwise_U for small blocks", winner(2, 8) == "pairwise_U");
  for (int d = 2; d <= 7; ++d)
    say(fmt::format("d = {}: pairwise_F for large blocks", d), winner(d, 4096) == "pairwise_F");
  for (int d = 3; d <= 7; ++d)
    say(fmt::format("d = {}: standard_U for the smallest blocks", d), winner(d, 1) == "standard_U");
  add_machine(result);
  return result;
}

Result survey(int first, int last) {
  Result result;
  for (int dimension = first; dimension <= last; ++dimension) {
    for (const std::int64_t block : {1, 16, 64, 128, 1024, 4096}) {
      for (const char* name : six) {
        if (competes(name, block))
          result.row(fmt::format("d = {}, {} B: {}", dimension, block, name), {},
                     exchange_time(name, dimension, block), "us", simulated);
      }
    }
  }
  add_machine(result);
  return result;
}

// Only drift separates the ranks here, because a node does several things at once.
bool stable_wins_by_drift(int dimension, std::int64_t block, bool idles) {
  machine::Machine machine =
      machine::load_machine("ipsc860", {fmt::format("hypercube:{}", dimension)});
  machine.node.ports = machine::Ports::unlimited;
  const auto time = [&](const char* name) {
    Scene scene = scene_of(exchange_named(name), machine, 1 << dimension, block, Sync::barrier);
    if (!idles) std::get<simulate::Operations>(scene.job.phases.back()).all.front().idle = 0;
    return time_of(scene.machine, scene.job);
  };
  return time("stable") < time("linear");
}

Result figure_10(const Item&) {
  Result result = survey(5, 7);
  for (int d = 5; d <= 7; ++d) {
    for (const bool idles : {false, true}) {
      result.row(fmt::format("d = {}, 1024 B: stable faster than linear by drift alone{}", d,
                             idles ? ", with its idle step" : ""),
                 "yes", stable_wins_by_drift(d, 1024, idles) ? "yes" : "no", "",
                 "simulator, ports unlimited");
    }
    const bool holds = exchange_time("stable", d, 1024) < exchange_time("linear", d, 1024);
    result.row(fmt::format("d = {}, 1024 B: stable faster than linear", d), "yes",
               holds ? "yes" : "no", "", simulated);
    const double ratio = exchange_time("pairwise_F", d, 64) / exchange_time("pairwise_U", d, 64);
    result.row(fmt::format("d = {}, 64 B: pairwise_F over pairwise_U", d), 2.0, ratio, "",
               simulated);
  }
  return result;
}
Result figure_11(const Item&) {
  return survey(1, 4);
}

// ---- runs that scatter ----

struct Envelope {
  double least = 0, mean = 0, most = 0;
};

// Ranks begin at random times within one start-up, and a random part is added to every start-up.
Envelope envelope(const char* name, Sync sync, std::int64_t block, int runs) {
  machine::Machine machine = machine::load_machine("ipsc860", {"hypercube:5"});
  machine.node.drift = machine.node.alpha;
  machine.node.noise = machine.node.alpha / 10;
  const Scene scene = scene_of(exchange_named(name), machine, 32, block, sync);
  Envelope found;
  simulate::SimulationOptions options;
  options.links = false;
  for (int run = 0; run < runs; ++run) {
    options.seed = static_cast<std::uint64_t>(run) + 1;
    const double time = simulate::simulate(scene.machine, scene.job, options).time;
    found.least = run == 0 ? time : std::min(found.least, time);
    found.most = std::max(found.most, time);
    found.mean += time / runs;
  }
  return found;
}

constexpr int runs_of_envelope = 20;

void add_envelope(Result& result, const std::string& what, const Envelope& found) {
  result.row(what + ": longest", {}, found.most, "us", simulated);
  result.row(what + ": mean", {}, found.mean, "us", simulated);
  result.row(what + ": shortest", {}, found.least, "us", simulated);
}

void add_noise(Result& result) {
  add_parameters(result, cube());
  const double alpha = cube().node.alpha;
  result.parameters.push_back(
      {"drift of the ranks' beginnings", alpha, "us", "assumed: one start-up"});
  result.parameters.push_back(
      {"noise of every start-up", alpha / 10, "us", "assumed: a tenth of a start-up"});
  result.parameters.push_back(
      {"runs", double{runs_of_envelope}, "", "the paper has 100 or 1000; seeds 1, 2, ..."});
  result.notes.emplace_back(
      "What makes real runs differ is not known; the noise is assumed, so only the order counts.");
}

Result figure_12(const Item&) {
  Result result;
  for (const std::int64_t block : {1000, 4000}) {
    const Envelope linear = envelope("linear", Sync::barrier, block, runs_of_envelope);
    const Envelope stable = envelope("stable", Sync::barrier, block, runs_of_envelope);
    const Envelope pairwise = envelope("pairwise_F", Sync::pair, block, runs_of_envelope);
    add_envelope(result, fmt::format("linear, {} B", block), linear);
    add_envelope(result, fmt::format("stable, {} B", block), stable);
    add_envelope(result, fmt::format("pairwise_F, {} B", block), pairwise);
    const auto say = [&](const char* label, bool holds) {
      result.row(fmt::format("{} B: {}", block, label), "yes", holds ? "yes" : "no", "", simulated);
    };
    say("longest of linear above longest of stable", linear.most > stable.most);
    say("mean of linear above mean of stable", linear.mean > stable.mean);
    say("pairwise_F scatters least",
        pairwise.most - pairwise.least <
            std::min(linear.most - linear.least, stable.most - stable.least));
  }
  add_noise(result);
  return result;
}

Result figure_13(const Item&) {
  Result result;
  double scatter = 0;
  for (const std::int64_t block : {1000, 4000}) {
    const Envelope with = envelope("pairwise_F", Sync::pair, block, runs_of_envelope);
    const Envelope without = envelope("pairwise_F", Sync::barrier, block, runs_of_envelope);
    add_envelope(result, fmt::format("synchronised, {} B", block), with);
    add_envelope(result, fmt::format("without, {} B", block), without);
    const auto say = [&](const char* label, bool holds) {
      result.row(fmt::format("{} B: {}", block, label), "yes", holds ? "yes" : "no", "", simulated);
    };
    say("scatters more without", without.most - without.least > with.most - with.least);
    if (scatter > 0)
      say("scatters without more than for shorter blocks", without.most - without.least > scatter);
    scatter = without.most - without.least;
  }
  add_noise(result);
  return result;
}

constexpr Run runs[] = {
    {"004-table-section-5", table_5}, {"004-table-section-6", table_6},
    {"004-figure-10", figure_10},     {"004-figure-11", figure_11},
    {"004-figure-12", figure_12},     {"004-figure-13", figure_13},
};

}  // namespace

std::span<const Run> exchange_implementations() {
  return runs;
}

}  // namespace tutti::papers

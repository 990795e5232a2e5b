// SPDX-License-Identifier: BSD-3-Clause
// `tutti simulate`: how long algorithms take on machines that are described, and what stands in each other's way.
#include <fmt/format.h>

#include <fstream>
#include <memory>

#include "base/error.hpp"
#include "commands.hpp"
#include "draw/heat.hpp"
#include "simulation/print.hpp"
#include "simulation/trace.hpp"
#include "support/progress.hpp"

namespace tutti::tools {
namespace {

bool draws(const SimulateOptions& options) {
  return !options.timeline.empty() || !options.trace.empty() || !options.heat.empty();
}

void check(const SimulateOptions& options, const SimulateRequest& request) {
  if (options.json && options.csv) base::fail(base::Status::invalid_argument, "--json and --csv exclude each other");
  if (draws(options) && request.count() != 1)
    base::fail(base::Status::invalid_argument,
               "--svg, --trace and --heat show one simulation, but {} are asked for: name one --algorithm or "
               "--implementation, one size, one -d and one --sync",
               request.count());
}

void write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) base::fail(base::Status::invalid_argument, "{} cannot be written", path);
}

void write_pictures(const SimulateOptions& options, const Setting& setting, const Outcome& outcome,
                    const Recorder& recorder) {
  const std::string title = fmt::format("{}: {}, {} bytes", title_of(setting), outcome.name, outcome.bytes);
  if (!options.timeline.empty())
    write(options.timeline, draw::timeline_svg(timeline_of(recorder, outcome.report), title));
  if (!options.trace.empty()) write(options.trace, chrome_trace(recorder, setting.ranks).dump() + "\n");
  if (options.heat.empty()) return;
  std::vector<double> busy;
  for (const simulate::LinkUse& use : outcome.report.links) busy.push_back(use.busy);
  write(options.heat, draw::heat_svg({busy, "us"}, *setting.machine.network.topology, title));
}

std::vector<SimulateResult> results_of(const SimulateRequest& request, simulate::Observer* observer) {
  Progress progress;
  std::vector<SimulateResult> results;
  std::size_t done = 0;
  for (const auto& [setting, candidates] : request.parts) {
    SimulateResult& result = results.emplace_back(SimulateResult{setting, {}});
    for (const std::int64_t bytes : request.sizes) {
      for (const Candidate& candidate : candidates) {
        progress.show(static_cast<double>(done++) / static_cast<double>(request.count()),
                      fmt::format("{}: {}, {} bytes", setting.machine.network.topology->name(), candidate.name, bytes));
        result.outcomes.push_back(simulated(candidate, setting, bytes, observer));
      }
    }
  }
  return results;
}

void print(const SimulateOptions& options, const std::vector<SimulateResult>& results) {
  if (options.map) {
    const std::string text = options.json  ? map_json(results).dump(2) + "\n"
                             : options.csv ? map_csv(results)
                                           : map_text(results);
    return fmt::print("{}", text);
  }
  if (options.csv) return fmt::print("{}", sweep_csv(results));
  const bool one = results.size() == 1 && results.front().outcomes.size() == 1;
  const Setting& setting = results.front().setting;
  if (options.json) {
    const auto out = one ? outcome_json(setting, results.front().outcomes.front()) : sweep_json(results);
    return fmt::print("{}\n", out.dump(2));
  }
  fmt::print("{}", one ? outcome_text(setting, results.front().outcomes.front()) : sweep_text(results));
}

int simulate_command(const SimulateOptions& options) {
  try {
    const SimulateRequest request = request_of(options);
    check(options, request);
    Recorder recorder;
    const std::vector<SimulateResult> results = results_of(request, draws(options) ? &recorder : nullptr);
    if (draws(options)) write_pictures(options, results.front().setting, results.front().outcomes.front(), recorder);
    print(options, results);
    return 0;
  } catch (const simulate::Failure& failure) {
    fmt::print(stderr, "tutti simulate: {}\n", failure.what());
    return 1;
  } catch (const base::Error& error) {
    fmt::print(stderr, "tutti simulate: {}\n", error.what());
    return usage_error;
  }
}

void add_output_options(CLI::App& command, SimulateOptions& options) {
  command.add_option("--top", options.top, "how many contentions are named; default 5")->type_name("K");
  command.add_flag("--map", options.map, "only the fastest for each size and dimension");
  command.add_flag("--json", options.json, "as JSON");
  command.add_flag("--csv", options.csv, "as CSV, a line for each algorithm and size");
  command.add_option("--svg", options.timeline, "a time line of all ranks into this file")->type_name("FILE");
  command.add_option("--trace", options.trace, "a trace for chrome://tracing into this file")->type_name("FILE");
  command.add_option("--heat", options.heat, "a picture of how busy links were into this file")->type_name("FILE");
}

}  // namespace

void add_simulate(CLI::App& app, int& code) {
  auto options = std::make_shared<SimulateOptions>();
  CLI::App* command =
      app.add_subcommand("simulate", "Says how long algorithms take on a described machine, and what they wait for.");
  command->add_option("operation", options->operation, "such as alltoall or bcast")->required();
  command->add_option("--machine", options->machine, "by name or path; tutti info --machines lists those there are");
  command->add_option("-d,--dimension", options->dimensions, "of a hypercube, or a range such as 1..7")->type_name("D");
  command->add_option("--topology", options->topology, "instead of the machine's own, such as mesh:16x32");
  command->add_option("-n,--ranks", options->ranks, "number of ranks; default one per node")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  command->add_option("--algorithm", options->algorithms, "one or several, with commas, such as mst,tree:branches=2");
  command
      ->add_option("--implementation", options->implementations,
                   "of alltoall, as paper 004 defines them, such as pairwise_F,standard_U")
      ->type_name("NAME");
  command->add_option("--bytes", options->bytes, "sizes, or a range of powers of two such as 1..64K; default 1K")
      ->type_name("SIZES");
  command->add_option("--root", options->root, "the root; default 0")->type_name("RANK");
  options->parameters.add_to(*command);
  command->add_option("--sync", options->sync, "none, barrier or pair, or several with commas")->type_name("KIND");
  command->add_option("--seed", options->seed, "of drift and noise; default 1")->type_name("N");
  command->add_option("--runs", options->runs, "with as many seeds; default 1")->type_name("N");
  command->add_option("--noise", options->noise, "instead of the machine's, microseconds")->type_name("US");
  command->add_option("--drift", options->drift, "instead of the machine's, microseconds")->type_name("US");
  add_output_options(*command, *options);
  command->callback([options, &code] { code = simulate_command(*options); });
}

}  // namespace tutti::tools

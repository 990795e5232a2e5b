// SPDX-License-Identifier: BSD-3-Clause
// `tutti simulate` tells how long algorithms take on described machines, and which messages delay
// each other.
#include <fmt/format.h>

#include <memory>

#include "base/error.hpp"
#include "messages.hpp"
#include "simulation/best.hpp"
#include "simulation/curve.hpp"
#include "simulation/pictures.hpp"
#include "simulation/print.hpp"
#include "simulation/recorded.hpp"
#include "support/checks.hpp"
#include "support/picture.hpp"
#include "support/progress.hpp"
#include "support/reporting.hpp"
#include "verbs.hpp"

namespace tutti::tools {
namespace {

void check(const SimulateOptions& options, const SimulateRequest& request) {
  if (options.call.json && options.csv)
    base::fail(base::Status::invalid_argument, "--json and --csv exclude each other");
  if (options.timeline_too && !options.call.json)
    base::fail(base::Status::invalid_argument, "--timeline needs --json; --svg draws one");
  require_one_output(options.call.json, {{"--svg", options.timeline},
                                         {"--trace", options.trace},
                                         {"--heat", options.heat},
                                         {"--curve", options.curve}});
  if (draws(options) && (request.count() != 1 || request.best > 0))
    base::fail(
        base::Status::invalid_argument,
        "--svg, --timeline, --trace and --heat show one simulation, but {} are asked for: name one "
        "--algorithm or --implementation, one size, one -n, one -d and one --sync",
        request.count());
}

// Adds the race of the plans that are the best by price, for the size with this number.
void add_best(SimulateResult& result, const SimulateRequest& request, std::size_t size,
              Progress& progress) {
  const Setting& setting = result.setting;
  const Extent extent = request.sizes.extent(size, setting.operation, setting.ranks);
  const std::vector<Candidate> candidates = best_by_price(setting, extent, request.best);
  double done = 0;
  const auto show = [&](const Candidate& candidate) {
    progress.show(done++ / static_cast<double>(candidates.size()),
                  fmt::format("{}: {}, {} bytes", setting.machine.network.topology->name(),
                              candidate.name, extent.bytes));
  };
  for (Outcome& outcome : simulated_best(candidates, setting, extent, show)) {
    outcome.asked = request.sizes.values[size];
    result.outcomes.push_back(std::move(outcome));
  }
}

std::vector<SimulateResult> results_of(const SimulateRequest& request,
                                       simulate::Observer* observer) {
  Progress progress;
  std::vector<SimulateResult> results;
  std::size_t done = 0;
  for (const auto& [setting, candidates] : request.parts) {
    SimulateResult& result = results.emplace_back(SimulateResult{setting, {}});
    for (std::size_t i = 0; i < request.sizes.values.size(); ++i) {
      const Extent extent = request.sizes.extent(i, setting.operation, setting.ranks);
      if (request.best > 0) {
        add_best(result, request, i, progress);
        continue;
      }
      for (const Candidate& candidate : candidates) {
        progress.show(static_cast<double>(done++) / static_cast<double>(request.count()),
                      fmt::format("{}: {}, {} bytes", setting.machine.network.topology->name(),
                                  candidate.name, extent.bytes));
        result.outcomes.push_back(
            simulated(with_settings(candidate, setting, extent), setting, extent, observer));
        result.outcomes.back().asked = request.sizes.values[i];
      }
    }
  }
  return results;
}

// Returns true if a picture or a trace is what the standard output gets.
bool draws_only(const SimulateOptions& options) {
  return options.timeline == standard_output || options.trace == standard_output ||
         options.heat == standard_output || options.curve == standard_output;
}

std::string json_answer(const SimulateOptions& options, const std::vector<SimulateResult>& results,
                        const Recorder& recorder) {
  if (options.map)
    return answer_text("simulate", nlohmann::json{{"map", map_table(results, "most_us").json()}});
  if (!options.timeline_too) return answer_text("simulate", sweep_json(results, nullptr));
  const SimulateResult& first = results.front();
  const draw::TimeLine line = timeline_of(recorder, first.outcomes.front().report, first.setting);
  return answer_text("simulate", sweep_json(results, &line));
}

void print(const SimulateOptions& options, const std::vector<SimulateResult>& results) {
  if (options.map) {
    const std::string text = options.csv ? map_table(results, "most_us").csv() : map_text(results);
    return fmt::print("{}", text);
  }
  if (options.csv) return fmt::print("{}", sweep_csv(results));
  const bool one = results.size() == 1 && results.front().outcomes.size() == 1 && options.best == 0;
  const Setting& setting = results.front().setting;
  if (setting.run != nullptr && !one) return fmt::print("{}", replays_text(results));
  fmt::print("{}",
             one ? outcome_text(setting, results.front().outcomes.front()) : sweep_text(results));
}

int simulate_command(SimulateOptions options) {
  try {
    if (message_file(options.call).empty() && recorded_file(options.call).empty())
      take_file(options.call);
    const SimulateRequest request = request_of(options);
    check(options, request);
    Recorder recorder;
    const std::vector<SimulateResult> results =
        results_of(request, draws(options) ? &recorder : nullptr);
    if (draws(options))
      write_pictures(options, results.front().setting, results.front().outcomes.front(), recorder);
    if (!options.curve.empty()) {
      const draw::Plot plot = simulated_curve(results);
      write_picture({options.curve, "--curve", "fewer algorithms", options.force},
                    draw::plots_text({&plot, 1}, plot.title, options.curve));
    }
    if (options.call.json)
      fmt::print("{}", json_answer(options, results, recorder));
    else if (!draws_only(options))
      print(options, results);
    return 0;
  } catch (const simulate::Failure& failure) {
    print_error("tutti simulate", failure.status(), failure.what(), 1);
    return 1;
  } catch (const base::Error& error) {
    print_error("tutti simulate", error.status(), error.what(), usage_error);
    return usage_error;
  }
}

void add_output_options(CLI::App& command, SimulateOptions& options) {
  command.add_option("--top", options.top, "how many contentions are named; default 5")
      ->type_name("K")
      ->check(whole_number(0));
  command
      .add_flag("--best{10}", options.best,
                "the plans that are the best by price, ten or --best=K, fastest first")
      ->check(positive_count());
  command.add_flag("--map", options.map, "only the fastest for each size and dimension");
  command.add_flag("--csv", options.csv, "as CSV, a line for each algorithm and size");
  command.add_flag("--timeline", options.timeline_too,
                   "with --json, also what each rank did from when to when");
  command.add_option("--svg", options.timeline, "a time line of all ranks into this file")
      ->type_name("FILE");
  command.add_option("--trace", options.trace, "a trace for chrome://tracing into this file")
      ->type_name("FILE");
  command.add_option("--heat", options.heat, "a picture of how busy links were into this file")
      ->type_name("FILE");
  command
      .add_option("--curve", options.curve,
                  "the times over sizes or ranks into this file, SVG or, by its ending, .html")
      ->type_name("FILE");
  command.add_flag("--force", options.force, "write pictures and traces of any size");
}

}  // namespace

void add_simulate(CLI::App& verb, int& code) {
  auto options = std::make_shared<SimulateOptions>();
  add_call_options(
      verb, options->call,
      {.ranks = ", or a range such as 2..16, or several with commas; default one per node",
       .bytes = "; also ranges of powers of two, 1..64K, and several with commas; default 1K",
       .algorithm = "; also several with commas; default those that suit",
       .machine = "; tutti info --machines lists those there are",
       .topology = " instead of the machine's"});
  add_old_settings(verb, options->call);
  verb.add_option("-d,--dimension", options->dimensions, "of a hypercube, or a range such as 1..7")
      ->type_name("D");
  verb.add_option("--implementation", options->implementations,
                  "of alltoall, as Bokhari (1991) has them, such as pairwise_F,standard_U")
      ->type_name("NAME");
  verb.add_option("--sync", options->sync, "none, barrier or pair, or several with commas")
      ->type_name("KIND");
  verb.add_option("--seed", options->seed, "of drift and noise; default 1")
      ->type_name("N")
      ->check(whole_number(0));
  verb.add_option("--runs", options->runs, "with as many seeds; default 1, for a map with noise 10")
      ->type_name("N")
      ->check(positive_count());
  verb.add_option("--noise", options->noise, "instead of the machine's, microseconds")
      ->type_name("US")
      ->check(number_from_zero());
  verb.add_option("--drift", options->drift, "instead of the machine's, microseconds")
      ->type_name("US")
      ->check(number_from_zero());
  verb.add_option("--compute", options->compute,
                  "of a recorded run: count what ranks computed, times a factor such as x0.2")
      ->type_name("FACTOR");
  add_output_options(verb, *options);
  verb.callback([options, &code] { code = simulate_command(*options); });
}

}  // namespace tutti::tools

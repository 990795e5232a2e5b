// SPDX-License-Identifier: BSD-3-Clause
// `tutti bench`: times of the collectives here, beside what the model says and, if wanted, beside those of an MPI. The
// processes are copies of this command with the subcommand bench-worker, which no help lists.
#include <fmt/format.h>

#include <memory>

#include "base/error.hpp"
#include "bench/choices_print.hpp"
#include "bench/print.hpp"
#include "bench/request.hpp"
#include "bench/runs.hpp"
#include "bench/summary.hpp"
#include "collectives/driver.h"
#include "commands.hpp"
#include "launch/judge.hpp"
#include "machine/host.hpp"
#include "selection/policy.hpp"
#include "support/progress.hpp"
#include "support/quiet.hpp"
#include "support/sizes.hpp"
#include "transport/shm/mapping.hpp"

namespace tutti::tools {
namespace {

struct BenchOptions {
  std::string operations = "all";
  std::string bytes = "8..16M";
  int ranks = 0;
  std::string algorithm;
  std::string against;
  std::string choices;
  std::string profile;
  double seconds = 30;
  bool json = false;
  bool csv = false;
};

constexpr const char* footer =
    "Every result is verified before it is timed. A size is that of the vector, or of what one rank contributes or "
    "gets.\nFrom 32K on, data are written anew before every call. Samples are tagged with where ranks 0 and 1 were: "
    "near "
    "or far.";

machine::Profile profile_in_use() {
  auto measured = machine::measured_profile();
  return measured ? std::move(*measured) : machine::load("host");
}

int ranks_of(const BenchOptions& options) {
  const int ranks = options.ranks > 0 ? options.ranks : std::max(2, static_cast<int>(transport::shm::usable_cpus()));
  launch::require_room(ranks);
  return ranks;
}

// How long to wait for a quiet machine, in seconds; a short bench waits no longer than it measures.
double patience(const BenchOptions& options) {
  return std::min(3.0, options.seconds / 10);
}

int bench_choices(const BenchOptions& options, const std::vector<BenchCell>& cells, int ranks) {
  constexpr double block_us = 500;
  Choices choices(words_of(options.choices), options.profile);
  const double turns = 10.0 * static_cast<double>(cells.size() * choices.names().size());
  const TurnLimits limits{ranks, options.seconds, 1, std::min(block_us, options.seconds * 1e6 / turns)};
  ChoiceReport report;
  LoadWatch watch(ranks);
  (void)watch.wait(patience(options));
  {
    Progress progress;
    report =
        run_choices(choices, cells, limits, [&](double done, const std::string& what) { progress.show(done, what); });
  }
  report.busy = watch.disturbed();
  fmt::print("{}", options.json ? choices_json(report) : choices_table(report));
  return 0;
}

int bench(const BenchOptions& options) {
  const Forcing forced = forcing(bench_operations_named(options.operations), options.algorithm);
  if (!forced.variable.empty()) (void)selection::parse_policy(forced.variable, false);
  const int ranks = ranks_of(options);
  const BenchCells chosen = bench_cells(forced.operations, bench_sizes(options.bytes), ranks);
  if (chosen.cells.empty()) base::fail(base::Status::invalid_argument, "{}", chosen.left_out.front());
  if (!options.choices.empty()) return bench_choices(options, chosen.cells, ranks);
  BenchPlan plan;
  plan.cells = chosen.cells;
  plan.ranks = ranks;
  plan.seconds = options.seconds;
  plan.forced = forced.variable;
  plan.against = options.against;
  // A bench of a few samples shall not wait for long ones.
  plan.sample_us = std::min(plan.sample_us, options.seconds * 1e6 / (5.0 * static_cast<double>(plan.cells.size())));
  if (!plan.against.empty()) (void)driver_of(plan.against);
  const machine::Profile profile = profile_in_use();
  std::vector<CellRow> rows;
  LoadWatch watch(ranks);
  (void)watch.wait(patience(options));
  {
    Progress progress;
    rows = summarize(run_bench(plan, [&](double done, const std::string& what) { progress.show(done, what); }), plan,
                     profile);
  }
  const std::string busy = watch.disturbed();
  const BenchReport report{plan, profile, rows, chosen.left_out, busy};
  if (options.csv && !busy.empty()) fmt::print(stderr, "tutti bench: {}", busy_line(busy));
  fmt::print("{}", options.json ? bench_json(report) : options.csv ? bench_csv(report) : bench_table(report));
  return 0;
}

int work(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{"bench-worker"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  return bench_driver(static_cast<int>(pointers.size()), pointers.data());
}

void add_worker(CLI::App& app, int& code) {
  auto arguments = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand("bench-worker", "A process of tutti bench; for its own use.");
  command->group("");  // not listed
  command->add_option("arguments", *arguments);
  command->callback([arguments, &code] { code = work(*arguments); });
}

}  // namespace

void add_bench(CLI::App& app, int& code) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = app.add_subcommand("bench", "Measures the collectives, beside the model or an MPI.");
  command->footer(footer);
  command->add_option("--op", options->operations, "operations, with commas, or all (default)")->type_name("NAMES");
  command->add_option("--bytes", options->bytes, "sizes: 8..16M (default; steps of eight) or 8,4K,1M")
      ->type_name("SIZES");
  command->add_option("-n,--ranks", options->ranks, "number of processes; default one per processor, at least 2")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  command->add_option("--algorithm", options->algorithm, "of all operations that have it, such as tree:branches=2")
      ->type_name("NAME");
  command->add_option("--against", options->against, "an MPI to run in turn with tutti: openmpi or mpich")
      ->type_name("MPI")
      ->check(CLI::IsMember({"openmpi", "mpich"}));
  command
      ->add_option("--choices", options->choices,
                   "what to run in turn in one job: default, tuned, names of algorithms; such as default,tuned")
      ->type_name("NAMES")
      ->excludes("--against")
      ->excludes("--algorithm");
  command->add_option("--profile", options->profile, "by which tuned chooses; default the one in use")
      ->type_name("FILE")
      ->needs("--choices");
  command->add_option("--seconds", options->seconds, "no new samples after this time; one of each in any case (30)")
      ->type_name("SECONDS")
      ->check(CLI::PositiveNumber);
  command->add_flag("--json", options->json, "as JSON");
  command->add_flag("--csv", options->csv, "as comma-separated values")->excludes("--json")->excludes("--choices");
  command->callback([options, &code] {
    code = reporting_errors(
        "bench", [&] { return bench(*options); }, 1);
  });
  add_worker(app, code);
}

}  // namespace tutti::tools

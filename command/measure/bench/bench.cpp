// SPDX-License-Identifier: BSD-3-Clause
// `tutti bench` measures the collectives on this machine and prints the times beside the model's
// predictions and, on request, beside those of an MPI. The processes are copies of this command
// with the subcommand bench-worker, which no help lists.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "base/error.hpp"
#include "base/notice.hpp"
#include "base/processors.hpp"
#include "bench/choices_print.hpp"
#include "bench/curve.hpp"
#include "bench/print.hpp"
#include "bench/request.hpp"
#include "bench/runs.hpp"
#include "bench/summary.hpp"
#include "driver/driver.h"
#include "launch/supervisor.hpp"
#include "machine/host.hpp"
#include "measuring.hpp"
#include "selection/policy.hpp"
#include "support/call.hpp"
#include "support/checks.hpp"
#include "support/picture.hpp"
#include "support/progress.hpp"
#include "support/quiet.hpp"
#include "support/reporting.hpp"
#include "transport/shm/mapping.hpp"
#include "transport/shm/segment.hpp"

namespace tutti::tools {
namespace {

struct BenchOptions {
  CallOptions call;
  std::string against;
  std::string choices;
  std::string profile;
  double seconds = 30;
  bool csv = false;
  std::string curve;  // a file
};

constexpr const char* usual_sizes = "8..16M";
constexpr std::int64_t step = 8;  // quotient of neighbouring sizes of a range

constexpr const char* footer =
    "Every result is verified before it is timed. Sizes are multiples of 8; blocks are rounded up "
    "to whole doubles.\n"
    "From 32K on, data are written anew before every call. Samples are tagged with where ranks 0 "
    "and 1 were: near or far.";

machine::Profile profile_for(const BenchOptions& options) {
  if (!options.call.machine.empty()) return machine::load(options.call.machine);
  auto measured = machine::measured_profile();
  return measured ? std::move(*measured) : machine::load("host");
}

// Returns the network of --topology, on which the model counts messages that share links; null if
// none is given.
std::shared_ptr<const machine::Topology> model_network(const BenchOptions& options, int ranks) {
  if (options.call.topology.empty()) return nullptr;
  auto network = machine::parse_topology(options.call.topology);
  if (ranks > network->nodes())
    base::fail(base::Status::invalid_argument, "{} ranks do not fit on the {} nodes of {}", ranks,
               network->nodes(), network->name());
  return network;
}

int ranks_here(const BenchOptions& options) {
  const int usual = std::max(2, static_cast<int>(base::usable_cpus()));
  const int ranks = ranks_of(options.call, transport::shm::capacity).value_or(usual);
  launch::require_room(ranks);
  return ranks;
}

// Returns how many seconds to wait for a quiet machine. A short bench waits no longer than it
// measures.
double patience(const BenchOptions& options) {
  return std::min(3.0, options.seconds / 10);
}

int root_here(const BenchOptions& options, int ranks) {
  return options.call.root.empty() ? BenchPlan::each_in_turn : root_of(options.call, ranks);
}

int bench_choices(const BenchOptions& options, const std::vector<BenchCell>& cells, int ranks) {
  constexpr double block_us = 500;
  if (!options.call.machine.empty() || !options.call.topology.empty())
    base::fail(base::Status::invalid_argument,
               "--machine and --topology are for the model, which --choices leaves out");
  Choices choices(words_of(options.choices), options.profile);
  const double turns = 10.0 * static_cast<double>(cells.size() * choices.names().size());
  const TurnLimits limits{ranks, options.seconds, 1,
                          std::min(block_us, options.seconds * 1e6 / turns),
                          root_here(options, ranks)};
  ChoiceReport report;
  LoadWatch watch(ranks);
  (void)watch.wait(patience(options));
  {
    Progress progress;
    report = run_choices(choices, cells, limits,
                         [&](double done, const std::string& what) { progress.show(done, what); });
  }
  report.busy = watch.disturbed();
  fmt::print("{}", options.call.json ? choices_json(report) : choices_table(report));
  return 0;
}

BenchPlan plan_of(const BenchOptions& options, const Forcing& forced, std::vector<BenchCell> cells,
                  int ranks) {
  BenchPlan plan;
  plan.cells = std::move(cells);
  plan.ranks = ranks;
  plan.root = root_here(options, ranks);
  plan.seconds = options.seconds;
  plan.forced = forced.variable;
  plan.against = options.against;
  // In a bench with few samples, no sample may take long.
  plan.sample_us = std::min(plan.sample_us,
                            options.seconds * 1e6 / (5.0 * static_cast<double>(plan.cells.size())));
  if (!plan.against.empty()) (void)driver_of(plan.against);
  return plan;
}

// Refuses before anything is measured what could not be drawn afterwards.
void check_curve(const BenchOptions& options, const std::vector<BenchCell>& cells) {
  if (options.curve.empty()) return;
  require_one_output(options.call.json, {{"--curve", options.curve}});
  std::map<std::string, int> sizes;
  for (const BenchCell& cell : cells) ++sizes[cell.op];
  const auto operations =
      std::count_if(sizes.begin(), sizes.end(), [](const auto& one) { return one.second > 1; });
  if (operations == 0)
    base::fail(base::Status::invalid_argument,
               "--curve is over sizes: name several, such as --bytes 8..1M, and operations that "
               "have sizes");
  if (operations > 1 && !options.curve.ends_with(".html"))
    base::fail(base::Status::invalid_argument,
               "{} would have {} pictures: name one operation, or a file that ends in .html",
               options.curve, operations);
}

void write_curve(const BenchOptions& options, const BenchReport& report) {
  if (options.curve.empty()) return;
  write_picture({options.curve, "--curve", "fewer sizes"},
                draw::plots_text(bench_curves(report), "Measured times", options.curve));
}

int bench(const BenchOptions& options) {
  const Forcing forced =
      forcing(bench_operations_named(operation_text(options.call)), options.call.algorithm);
  if (!forced.variable.empty()) (void)selection::parse_policy(forced.variable);
  const int ranks = ranks_here(options);
  const auto network = model_network(options, ranks);
  const Sizes sizes = sizes_of(options.call, usual_sizes, bench_element, step);
  const BenchCells chosen = bench_cells(forced.operations, sizes, ranks);
  if (chosen.cells.empty())
    base::fail(base::Status::invalid_argument, "{}", chosen.left_out.front());
  if (!options.choices.empty()) return bench_choices(options, chosen.cells, ranks);
  check_curve(options, chosen.cells);
  const BenchPlan plan = plan_of(options, forced, chosen.cells, ranks);
  const machine::Profile profile = profile_for(options);
  std::vector<CellRow> rows;
  LoadWatch watch(ranks);
  (void)watch.wait(patience(options));
  {
    Progress progress;
    rows = summarize(
        run_bench(plan, [&](double done, const std::string& what) { progress.show(done, what); }),
        plan, profile, network.get());
  }
  const std::string busy = watch.disturbed();
  const BenchReport report{plan, profile, rows, chosen.left_out, busy};
  write_curve(options, report);
  if (options.curve == standard_output) return 0;
  if (options.csv && !busy.empty()) base::notice("tutti bench: {}", busy_line(busy));
  fmt::print("{}", options.call.json ? bench_json(report)
                   : options.csv     ? bench_csv(report)
                                     : bench_table(report));
  return 0;
}

int work(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{worker_verb};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  return bench_driver(static_cast<int>(pointers.size()), pointers.data());
}

void add_choices(CLI::App& command, BenchOptions& options) {
  command
      .add_option("--choices", options.choices,
                  "what to run in turn in one job: default, tuned, names of algorithms; such as "
                  "default,tuned")
      ->type_name("NAMES")
      ->excludes("--against")
      ->excludes("--algorithm");
  command
      .add_option("--profile", options.profile, "by which tuned chooses; default the one in use")
      ->type_name("FILE")
      ->needs("--choices");
}

}  // namespace

void add_worker(CLI::App& verb, int& code) {
  auto arguments = std::make_shared<std::vector<std::string>>();
  verb.group("");  // no help lists it
  verb.add_option("arguments", *arguments);
  verb.callback([arguments, &code] { code = work(*arguments); });
}

void add_bench(CLI::App& verb, int& code) {
  auto options = std::make_shared<BenchOptions>();
  verb.footer(footer);
  add_call_options(verb, options->call,
                   {.operation = "; several with commas; default all",
                    .ranks = "; default one per processor, at least 2",
                    .bytes = "; several with commas, and ranges in steps of eight; default 8..16M",
                    .root = "; default each process in turn",
                    .algorithm = "; operations that have none of that name are left out",
                    .machine = " to the model; default this machine as tune measured it, else host",
                    .topology = " to the model"});
  add_old_operation(verb, options->call);
  verb.add_option("--against", options->against,
                  "an MPI to run in turn with tutti: openmpi or mpich")
      ->type_name("MPI")
      ->check(CLI::IsMember({"openmpi", "mpich"}));
  add_choices(verb, *options);
  verb.add_option("--seconds", options->seconds,
                  "no new samples after this time; one of each in any case (30)")
      ->type_name("SECONDS")
      ->check(positive_seconds());
  verb.add_option("--curve", options->curve,
                  "the times over sizes into this file, SVG or, by its ending, .html")
      ->type_name("FILE")
      ->excludes("--choices");
  verb.add_flag("--csv", options->csv, "as comma-separated values")
      ->excludes("--json")
      ->excludes("--choices");
  verb.callback([options, &code] {
    code = reporting_errors(
        "bench", [&] { return bench(*options); }, 1);
  });
}

}  // namespace tutti::tools

// SPDX-License-Identifier: BSD-3-Clause
// `tutti tune` measures what messages and combining take on this machine, compares plans, and
// writes the results as a machine profile.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/number.hpp"
#include "commands.hpp"
#include "formats/load.hpp"
#include "launch/supervisor.hpp"
#include "machine/host.hpp"
#include "machine/profile.hpp"
#include "support/checks.hpp"
#include "support/host_facts.hpp"
#include "support/progress.hpp"
#include "support/quiet.hpp"
#include "support/request.hpp"
#include "support/sizes.hpp"
#include "tune/file.hpp"
#include "tune/hosts.hpp"
#include "tune/plans.hpp"
#include "tune/profile.hpp"

namespace tutti::tools {
namespace {

struct TuneOptions {
  std::string operations = "all";
  std::string ranks = "2,4,8,16";
  std::string bytes = "8,128,1K,8K,64K,512K,4M";
  double seconds = 60;
  std::string output;
  bool quick = false;
  bool hosts = false;
  bool force = false;
  bool dry_run = false;
};

// With this algorithm, the model knows every time: one tree of messages and, for reduce, as many
// steps that combine.
constexpr const char* algorithm = "mst";
constexpr double rates_part = 0.3;  // part of the time for measuring rates; plans get the rest

std::string output_of(const TuneOptions& options) {
  std::string file = options.output.empty() ? machine::host_file() : options.output;
  if (file.empty()) {
    base::fail(base::Status::invalid_argument,
               "there is no folder of settings, HOME is not set; name a file by --output");
  }
  return file;
}

std::vector<int> ranks_of(const TuneOptions& options) {
  std::vector<int> ranks;
  for (const std::string& word : words_of(options.ranks)) {
    const auto number = base::number_in<int>(word);
    if (!number || *number < 2 || *number > 1024) {
      base::fail(base::Status::invalid_argument,
                 "-n is {} but must be numbers of processes, 2 to 1024, with commas",
                 options.ranks);
    }
    ranks.push_back(*number);
  }
  for (const int one : ranks) launch::require_room(one);
  return ranks;
}

BenchPlan plan_of(const TuneOptions& options, int ranks) {
  const std::vector<std::string> operations = {"bcast", "reduce"};
  const char* sizes =
      options.quick ? "8,32,1K,8K,64K,256K" : "8,16,32,64,256,1K,4K,16K,32K,64K,256K,1M,4M";
  BenchPlan plan;
  plan.cells = bench_cells(operations, {Sizes::Of::vector, bench_sizes(sizes)}, ranks).cells;
  plan.ranks = ranks;
  plan.seconds = options.quick ? 1 : rates_part * options.seconds;
  plan.sample_us = options.quick ? 500 : 2000;
  plan.forced = forcing(operations, algorithm).variable;
  return plan;
}

// Returns the present text of the file; empty if there is none.
std::string present(const std::string& file) {
  return std::filesystem::exists(file) ? formats::contents_of(file) : std::string();
}

// Returns the rows of the file. A file that cannot be read would stop every job, so none of its
// rows are kept.
selection::Table rows_in(const std::string& file, const std::string& text) {
  try {
    return selection::parse_table(text, file);
  } catch (const base::Error& error) {
    fmt::print("what is in {} is not understood and will be replaced: {}\n", file, error.what());
    return {};
  }
}

void write_profile(const std::string& file, const std::string& text) {
  (void)machine::parse(text, file);  // a file that cannot be read again must not be written
  (void)selection::parse_table(text, file);
  write_file(file, text);
}

// Measures between hosts in a job of MPI. All its processes call this function, and the first one
// writes.
int tune_hosts(const TuneOptions& options) {
  std::optional<HostCosts> costs;
  {
    Progress progress;
    costs = measure_between_hosts(options.quick ? 0.5 : options.seconds, [&](double done) {
      progress.show(done, "messages between hosts");
    });
  }
  if (!costs) return 0;
  const std::string file = output_of(options), text = present(file);
  if (text.empty()) {
    base::fail(base::Status::invalid_argument,
               "there is no profile {} to write the costs between hosts to: run tutti tune first",
               file);
  }
  write_profile(file, hosts_apart(text).rest + "\n" + hosts_text(*costs, host_facts().date));
  fmt::print("hosts    alpha {:.3f} us, beta {:.3f} us/MB\nwritten to {}\n", costs->fit.rates.alpha,
             costs->fit.rates.beta * 1e6, file);
  return 0;
}

// Throws if `why` has a reason not to measure, unless --force is given. Returns the reason, which
// is then written into the file.
std::string refuse_if(const TuneOptions& options, std::string why, const char* when) {
  if (why.empty() || options.force) return why;
  base::fail(
      base::Status::system_error,
      "the machine is busy: {} {}. Nothing is written. Try again when it is quiet, or give --force",
      why, when);
}

TuneResult measure_rates(const TuneOptions& options, int ranks, Progress& progress) {
  BenchPlan plan = plan_of(options, ranks);
  constexpr double local_part = 0.1;
  const double whole = options.quick ? 1 : rates_part;
  int steps = 0;
  LocalCosts local = measure_local(options.quick ? 5 : 21, [&] {
    progress.show(whole * local_part * ++steps / local_steps(), "copies, combining, waking");
  });
  auto libraries = run_bench(plan, [&](double done, const std::string& what) {
    progress.show(whole * (local_part + (1 - local_part) * std::min(done, 1.0)), what);
  });
  return fit_all(std::move(plan), std::move(libraries.at("tutti")), std::move(local));
}

// Returns how many seconds to wait for a quiet machine.
double patience(const TuneOptions& options) {
  return options.force ? 0 : options.quick ? 1 : 10;
}

// Measures once more if the first measurement was disturbed.
TuneResult measure_quietly(const TuneOptions& options, int ranks, Progress& progress) {
  LoadWatch watch(ranks);
  for (bool again = false;; again = true) {
    (void)refuse_if(options, watch.wait(patience(options)), "before measuring");
    TuneResult result = measure_rates(options, ranks, progress);
    result.busy = watch.disturbed(refused_from);
    if (result.busy.empty() || again || options.force) {
      (void)refuse_if(options, result.busy, "while messages were measured, twice");
      return result;
    }
  }
}

std::vector<TunedPoint> search(const TuneOptions& options, const std::vector<int>& ranks,
                               TuneResult& result, const selection::Table& rows,
                               Progress& progress) {
  if (options.quick) return {};
  const PlanSearch wanted{bench_operations_named(options.operations), bench_sizes(options.bytes),
                          ranks, (1 - rates_part) * options.seconds};
  LoadWatch watch(*std::max_element(ranks.begin(), ranks.end()));
  (void)refuse_if(options, watch.wait(patience(options)), "before plans were compared");
  const machine::Profile measured = machine::parse(profile_text(result), "what was measured");
  std::vector<TunedPoint> points =
      compare_plans(wanted, rows, measured, [&](double done, const std::string& what) {
        progress.show(rates_part + (1 - rates_part) * done, what);
      });
  const std::string why =
      refuse_if(options, watch.disturbed(refused_from), "while plans were compared");
  if (result.busy.empty()) result.busy = why;
  return points;
}

// Returns true if a variable names a file other than this one.
bool is_another(const std::optional<std::string>& named, const std::string& file) {
  std::error_code ignored;
  return named && !named->empty() && *named != file &&
         !std::filesystem::equivalent(*named, file, ignored);
}

// Checks and announces the file before anything is measured.
void announce(const TuneOptions& options, const std::string& file) {
  if (options.dry_run) return;
  require_writable(file);
  if (options.output.empty()) {
    fmt::print(
        "measures for about {:.0f} s, then writes {}, by which later jobs of this user choose\n",
        options.quick ? 2 : options.seconds, file);
  }
  if (is_another(base::text(base::Variable::table), file)) {
    fmt::print(
        "TUTTI_TABLE is set: rows of that file come before those of {}, and stay as they are\n",
        file);
  }
  if (is_another(base::text(base::Variable::profile), file)) {
    fmt::print("TUTTI_PROFILE is set: jobs go by that profile and not by {}\n", file);
  }
  std::fflush(stdout);
}

std::string changes_text(const TuneOptions& options, const std::string& file,
                         const std::vector<TunedPoint>& points,
                         const std::vector<std::string>& changes) {
  if (options.quick) return "plans: not compared, the rows of the file stay; leave out --quick\n";
  const auto undecided = std::count_if(points.begin(), points.end(), [](const TunedPoint& point) {
    return !point.decision.decided;
  });
  std::string text = fmt::format("plans: {} cases compared", points.size());
  if (undecided > 0)
    text +=
        fmt::format(", {} of them without enough samples; more --seconds would help", undecided);
  text += changes.empty() ? fmt::format("; no row of {} changes\n", file)
                          : fmt::format("; rows of {}:\n", file);
  for (const std::string& change : changes) text += "  " + change + "\n";
  return text;
}

int tune(const TuneOptions& options) {
  if (options.hosts) return tune_hosts(options);
  const std::string file = output_of(options);
  const std::vector<int> ranks = ranks_of(options);
  (void)bench_operations_named(options.operations);
  (void)bench_sizes(options.bytes);
  announce(options, file);
  const std::string before = present(file);
  const selection::Table rows = rows_in(file, before);
  std::optional<Progress> progress(std::in_place);
  TuneResult result = measure_quietly(options, ranks.front(), *progress);
  const std::vector<TunedPoint> points = search(options, ranks, result, rows, *progress);
  progress.reset();
  const TunedTable table = tuned_table(rows, points);
  const std::string hosts = hosts_apart(before).hosts;  // this table stays
  fmt::print("{}{}", summary_text(result), changes_text(options, file, points, table.changes));
  if (!result.busy.empty()) fmt::print("{}", busy_line(result.busy));
  if (options.dry_run) return 0;
  write_profile(file, profile_text(result) + table.text + (hosts.empty() ? "" : "\n" + hosts));
  fmt::print("written to {}\n", file);
  return 0;
}

}  // namespace

void add_tune(CLI::App& app, int& code) {
  auto options = std::make_shared<TuneOptions>();
  CLI::App* command = app.add_subcommand(
      "tune", "Measures this machine, compares plans, and writes a machine profile.");
  command
      ->add_option("operations", options->operations,
                   "operations whose plans are compared, with commas (all)")
      ->type_name("OPERATIONS");
  command
      ->add_option("-n,--ranks", options->ranks,
                   "numbers of processes for which plans are compared; rates are those of the "
                   "first (2,4,8,16)")
      ->type_name("N");
  command
      ->add_option("--bytes", options->bytes,
                   "sizes at which plans are compared (8,128,1K,8K,64K,512K,4M)")
      ->type_name("SIZES");
  command
      ->add_option("--seconds", options->seconds,
                   "about how long to measure (60); more may see more placements")
      ->type_name("SECONDS")
      ->check(positive_seconds());
  command
      ->add_option("--output", options->output,
                   "the file; default where it is found again, see the manual")
      ->type_name("FILE");
  command->add_flag("--dry-run", options->dry_run,
                    "measures and says what would change, but writes nothing");
  command->add_flag("--force", options->force, "also on a busy machine, which the file then says");
  command->add_flag("--quick", options->quick,
                    "rates only, few sizes and samples: a second instead of --seconds");
  command->add_flag("--hosts", options->hosts,
                    "instead, under MPI on two machines: what a message between them takes, into "
                    "the profile there is");
  command->callback([options, &code] {
    code = reporting_errors(
        "tune", [&] { return tune(*options); }, 1);
  });
}

}  // namespace tutti::tools

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
#include "formats/load.hpp"
#include "launch/supervisor.hpp"
#include "machine/host.hpp"
#include "machine/profile.hpp"
#include "measuring.hpp"
#include "support/answer.hpp"
#include "support/checks.hpp"
#include "support/host_facts.hpp"
#include "support/progress.hpp"
#include "support/quiet.hpp"
#include "support/reporting.hpp"
#include "support/request.hpp"
#include "support/sizes.hpp"
#include "tune/file.hpp"
#include "tune/hosts.hpp"
#include "tune/moves.hpp"
#include "tune/mpi.hpp"
#include "tune/profile.hpp"
#include "tune/report.hpp"

namespace tutti::tools {
namespace {

struct TuneOptions {
  std::string operations = "all";
  std::string ranks = "2,4,8,16";
  std::string bytes;  // empty: those of the kind of measurement
  double seconds = 90;
  std::string output;
  bool quick = false;
  bool hosts = false;
  bool mpi = false;
  bool force = false;
  bool dry_run = false;
  bool json = false;
};

// With this algorithm, the model knows every time: one tree of messages and, for reduce, as many
// steps that combine.
constexpr const char* algorithm = "mst";
// Parts of the time: for rates of messages, for rates of the price in shared memory; plans get the
// rest.
constexpr double messages_part = 0.07, prices_part = 0.11;

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

std::vector<std::int64_t> sizes_of(const TuneOptions& options) {
  const char* const usual = options.mpi ? "8,64,512,4K,32K,256K,2M" : "8,4K,64K,1M";
  return bench_sizes(options.bytes.empty() ? usual : options.bytes);
}

BenchPlan plan_of(const TuneOptions& options, int ranks) {
  const std::vector<std::string> operations = {"bcast", "reduce"};
  const char* sizes =
      options.quick ? "8,32,1K,8K,64K,256K" : "8,16,32,64,256,1K,4K,16K,32K,64K,256K,1M,4M";
  BenchPlan plan;
  plan.cells = bench_cells(operations, {Sizes::Of::vector, bench_sizes(sizes)}, ranks).cells;
  plan.ranks = ranks;
  plan.seconds = options.quick ? 1 : messages_part * options.seconds;
  plan.sample_us = options.quick ? 500 : 2000;
  plan.forced = forcing(operations, algorithm).variable;
  return plan;
}

// Returns the present text of the file; empty if there is none.
std::string present(const std::string& file) {
  return std::filesystem::exists(file) ? formats::contents_of(file) : std::string();
}

// Returns where notices go. Standard output has nothing but the answer if that is JSON.
std::FILE* notices(const TuneOptions& options) {
  return options.json ? stderr : stdout;
}

template <class... Arguments>
void remark(const TuneOptions& options, fmt::format_string<Arguments...> format,
            Arguments&&... arguments) {
  const std::string text = fmt::format(format, std::forward<Arguments>(arguments)...);
  // Failure is harmless: run_command() asks stdout for errors at the end; where the answer goes
  // there, stderr has only remarks.
  std::fputs(text.c_str(), notices(options));
}

// Returns true, and says so, if the rates and rows of the file go because they were measured on
// another kind of processor.
bool goes_as_foreign(const TuneOptions& options, const std::string& file, const std::string& text) {
  const std::string other = machine::other_processor({file, text});
  if (other.empty()) return false;
  remark(options,
         "{} was measured on another processor ({}); its rates and rows will be replaced\n", file,
         other);
  return true;
}

// Returns the rows of the file. A file that cannot be read would stop every job, so none of its
// rows are kept. Rows that another machine has measured are not kept either.
selection::Table rows_in(const TuneOptions& options, const std::string& file,
                         const std::string& text) {
  if (goes_as_foreign(options, file, text)) return {};
  try {
    return selection::parse_table(text, file);
  } catch (const base::Error& error) {
    remark(options, "what is in {} is not understood and will be replaced: {}\n", file,
           error.what());
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
  write_profile(file,
                table_apart(text, "hosts").rest + "\n" + hosts_text(*costs, host_facts().date));
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

// Returns how many seconds to wait for a quiet machine.
double patience(const TuneOptions& options) {
  return options.force ? 0 : options.quick ? 1 : 10;
}

std::vector<MeasuredRow> rows_of_moves(Progress& progress) {
  int steps = 0;
  return measure_moves([&] {
    progress.show(static_cast<double>(++steps) / move_steps(), "copies, packets and windows");
  });
}

TuneResult measure_rates(const TuneOptions& options, int ranks, Progress& progress) {
  BenchPlan plan = plan_of(options, ranks);
  constexpr double local_part = 0.1;
  const double whole = options.quick ? 1 : messages_part;
  int steps = 0;
  LocalCosts local = measure_local(options.quick ? 5 : 21, [&] {
    progress.show(whole * local_part * ++steps / local_steps(), "copies, combining, waking");
  });
  auto libraries = run_bench(plan, [&](double done, const std::string& what) {
    progress.show(whole * (local_part + (1 - local_part) * std::min(done, 1.0)), what);
  });
  return fit_all(std::move(plan), std::move(libraries.at("tutti")), std::move(local));
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

Prices search(const TuneOptions& options, const std::vector<int>& ranks, TuneResult& result,
              const selection::Table& rows, Progress& progress) {
  Prices found;
  if (options.quick) return found;
  LoadWatch watch(*std::max_element(ranks.begin(), ranks.end()));
  (void)refuse_if(options, watch.wait(patience(options)), "before plans were compared");
  found.fit = fit_rates(measure_rated_cells(prices_part * options.seconds,
                                            [&](double done, const std::string& what) {
                                              progress.show(messages_part + prices_part * done,
                                                            "rates, " + what);
                                            }),
                        selection::host_rates_of(machine::load("host")));
  constexpr double before = messages_part + prices_part;
  const PlanSearch wanted{bench_operations_named(options.operations), sizes_of(options), ranks,
                          (1 - before) * options.seconds};
  const machine::Profile measured = machine::parse(
      profile_text(result) + rates_toml(found.fit, host_facts().date), "what was measured");
  found.compared = compare_plans(wanted, rows, measured, [&](double done, const std::string& what) {
    progress.show(before + (1 - before) * done, "plans, " + what);
  });
  const std::string why =
      refuse_if(options, watch.disturbed(refused_from), "while plans were compared");
  if (result.busy.empty()) result.busy = why;
  return found;
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
    remark(options,
           "measures for about {:.0f} s, then writes {}, by which later jobs of this user choose\n",
           options.quick ? 2 : options.seconds, file);
  }
  if (is_another(base::text(base::Variable::table), file)) {
    remark(options,
           "TUTTI_TABLE is set: rows of that file come before those of {}, and stay as they are\n",
           file);
  }
  if (is_another(base::text(base::Variable::profile), file)) {
    remark(options, "TUTTI_PROFILE is set: jobs go by that profile and not by {}\n", file);
  }
  // Failure is harmless: run_command() asks ferror() at the end.
  std::fflush(notices(options));
}

// Returns the table of rates in shared memory: new ones if they choose faster plans, or those that
// stay because plans were not compared.
std::string rates_part(const TuneOptions& options, const std::string& before, const Prices& prices,
                       const std::string& date) {
  if (options.quick) {
    const bool foreign = !machine::other_processor({output_of(options), before}).empty();
    return foreign ? "" : table_apart(before, "shared_memory").table;
  }
  return prices.compared.rates.accepted ? rates_toml(prices.fit, date) : "";
}

// Refuses a file that cannot be read, before anything is measured: new rows are added to what it
// has.
void require_understood(const std::string& file, const std::string& text) {
  if (text.empty() || !machine::other_processor({file, text}).empty()) return;
  (void)machine::parse(text, file);
  (void)selection::parse_table(text, file);
}

// All processes of a job of MPI call this, and the first one says what it will do.
int tune_by_mpi(const TuneOptions& options) {
  MpiTuneRequest request{output_of(options),
                         ranks_of(options),
                         sizes_of(options),
                         options.seconds,
                         options.dry_run,
                         {},
                         {}};
  request.begin = [&options, &file = request.file] {
    const std::string before = present(file);
    require_understood(file, before);
    (void)goes_as_foreign(options, file, before);
    announce(options, file);
  };
  request.disturbed = [&options](const std::string& why) {
    if (!options.dry_run) (void)refuse_if(options, why, "while calls were measured");
  };
  return tune_mpi(request);
}

int tune(const TuneOptions& options) {
  if (options.hosts) return tune_hosts(options);
  if (options.mpi) return tune_by_mpi(options);
  const std::string file = output_of(options);
  const std::vector<int> ranks = ranks_of(options);
  (void)bench_operations_named(options.operations);
  (void)sizes_of(options);
  announce(options, file);
  const std::string before = present(file);
  const selection::Table rows = rows_in(options, file, before);
  const bool foreign = !machine::other_processor({file, before}).empty();
  std::optional<Progress> progress(std::in_place);
  TuneResult result = measure_quietly(options, ranks.front(), *progress);
  const std::vector<MeasuredRow> moves = rows_of_moves(*progress);
  const Prices prices = search(options, ranks, result, rows, *progress);
  progress.reset();
  const HostFacts facts = host_facts();
  const TunedTable table =
      tuned_table(rows, prices.compared.points, {facts.processors, 0, facts.date});
  const std::string tuning = tuning_toml(moves, foreign ? "" : table_apart(before, "tuning").table);
  const std::string profile =
      profile_text(result) + rates_part(options, before, prices, facts.date) + tuning;
  if (!options.dry_run) {
    const std::string hosts = table_apart(before, "hosts").table;  // this table stays
    write_profile(file, profile + table.text + (hosts.empty() ? "" : "\n" + hosts));
  }
  const Findings found{file,   !options.dry_run, !options.quick, profile,
                       result, prices,           moves,          table.changes};
  fmt::print("{}", options.json ? answer_text("tune", to_json(found)) : to_text(found));
  return 0;
}

void add_flags(CLI::App& command, TuneOptions& options) {
  command.add_flag("--dry-run", options.dry_run,
                   "measures and says what would change, but writes nothing");
  command.add_flag("--force", options.force, "also on a busy machine, which the file then says");
  CLI::Option* quick = command.add_flag(
      "--quick", options.quick, "rates only, few sizes and samples: a second instead of --seconds");
  CLI::Option* json = command.add_flag("--json", options.json, "what was found, as JSON");
  command
      .add_flag("--hosts", options.hosts,
                "instead, under MPI on two machines: what a message between them takes, into the "
                "profile there is")
      ->excludes(json);
  command
      .add_flag("--mpi", options.mpi,
                "instead, under MPI: which collectives of programs of MPI the MPI serves faster, "
                "as rows that tutti mpi reads")
      ->excludes(json)
      ->excludes(quick);
}

}  // namespace

void add_tune(CLI::App& verb, int& code) {
  auto options = std::make_shared<TuneOptions>();
  verb.add_option("operations", options->operations,
                  "operations whose plans are compared, with commas (all)")
      ->type_name("OPERATIONS");
  verb.add_option("-n,--ranks", options->ranks,
                  "numbers of processes for which plans are compared; rates are those of the "
                  "first (2,4,8,16)")
      ->type_name("N");
  verb.add_option("--bytes", options->bytes,
                  "sizes that are compared (8,4K,64K,1M; with --mpi 8,64,512,4K,32K,256K,2M)")
      ->type_name("SIZES");
  verb.add_option("--seconds", options->seconds,
                  "about how long to measure (90); more may see more placements")
      ->type_name("SECONDS")
      ->check(positive_seconds());
  verb.add_option("--output", options->output,
                  "the file; default where it is found again, see the manual")
      ->type_name("FILE");
  add_flags(verb, *options);
  verb.callback([options, &code] {
    code = reporting_errors(
        "tune", [&] { return tune(*options); }, 1);
  });
}

}  // namespace tutti::tools

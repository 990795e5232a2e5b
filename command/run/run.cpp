// SPDX-License-Identifier: BSD-3-Clause
// `tutti run -n N [options] program args...`: starts the ranks of a job and supervises them.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/notice.hpp"
#include "commands.hpp"
#include "launch/launchers.hpp"
#include "launch/reaper.hpp"
#include "launch/supervisor.hpp"
#include "run/advice.hpp"
#include "run/binding.hpp"
#include "run/job_record.hpp"
#include "run/preload.hpp"
#include "run/programs.hpp"
#include "run/virtual_time.hpp"
#include "schedule/printer.hpp"
#include "support/answer.hpp"
#include "support/checks.hpp"
#include "support/table.hpp"
#include "transport/shm/mapping.hpp"
#include "transport/trace/collect.hpp"

namespace tutti::tools {
namespace {

struct RunOptions {
  ProgramOptions first;
  bool tag_output = false;
  double timeout = 0;
  std::string bind = "none";
  std::string stdin_rank = "0";
  std::string report;
  std::string output;
  std::string preload;
  std::string record;
  bool places = false;
  VirtualTimeOptions time;
};

constexpr const char* description =
    "Starts N processes of a program as one job and watches over them.";

constexpr const char* run_footer =
    "The processes are ranks 0 ... N-1 and share memory. Rank 0 reads stdin, the others /dev/null. "
    "When a process fails,\n"
    "is killed or aborts, that is reported once, with what the others were doing, and all end. "
    "Everything after the\n"
    "program belongs to the program, up to a ':', behind which another program of the same job may "
    "stand with -n, -x and\n--wdir of its own. Behind -- everything belongs to the program, a ':' "
    "too. Each rank finds TUTTI_RANK and\n"
    "TUTTI_SIZE in its environment.\n\n"
    "The exit code is that of the first failure, or 128 + signal if that was a signal. It is 124 "
    "when time is up, 127 when\n"
    "there is no such program, 126 when it cannot be run, and 2 when the command line is not "
    "understood. Otherwise it is 0.";

const char* kind_name(launch::EndingKind kind) {
  switch (kind) {
    case launch::EndingKind::exited:
      return "exited";
    case launch::EndingKind::signalled:
      return "signalled";
    case launch::EndingKind::unknown:
      return "unknown";
    case launch::EndingKind::running:
      break;
  }
  return "not started";
}

// Returns false, after a message, if the report cannot be written.
bool write_report(const std::string& file, const launch::Outcome& outcome,
                  const std::optional<nlohmann::json>& virtual_time) {
  Table ranks("rank;program;pid;end;value;state");
  for (const auto& rank : outcome.ranks)
    ranks.add({rank.rank, rank.program, rank.pid, kind_name(rank.ending.kind), rank.ending.value,
               rank.state});
  nlohmann::json report = {{"exit_code", outcome.exit_code},
                           {"reason", outcome.reason},
                           {"cycle", outcome.cycle},
                           {"ranks", ranks.json()}};
  if (virtual_time) report["virtual_time"] = *virtual_time;
  std::ofstream stream(file);
  stream << answer_text("run", report);
  if (stream.flush()) return true;
  base::notice("tutti run: cannot write the report to '{}'\n", file);
  return false;
}

// Reads "none", as -1, or a rank.
int stdin_rank(const RunOptions& options, int ranks) {
  if (options.stdin_rank == "none") return -1;
  int rank = -1;
  if (!CLI::detail::lexical_cast(options.stdin_rank, rank) || rank < 0 || rank >= ranks) {
    base::fail(base::Status::invalid_argument,
               "--stdin is '{}' but must be none or a rank below {}", options.stdin_rank, ranks);
  }
  return rank;
}

constexpr const char* run_usage =
    "Usage: tutti run -n N [options] program [arguments...] [: -n N [options] program "
    "[arguments...]]...\n";

int ranks_of(const std::vector<launch::LaunchedProgram>& programs) {
  int ranks = 0;
  for (const launch::LaunchedProgram& program : programs) {
    // A sum that is too large for an int is too large for a job, too.
    if (__builtin_add_overflow(ranks, program.ranks, &ranks))
      return std::numeric_limits<int>::max();
  }
  return ranks;
}

// Warns once for the job. Ranks do not warn, because each of them would print the same.
void warn_of_misspelt_variables(const std::vector<launch::LaunchedProgram>& programs) {
  std::vector<std::string> given;
  for (const launch::LaunchedProgram& program : programs)
    given.insert(given.end(), program.setting.environment.begin(),
                 program.setting.environment.end());
  base::warn_of(base::misspelt_variables(given));
}

// Returns the record of the job if one is asked for, and lets its programs record.
std::optional<JobRecord> record_of(const RunOptions& options,
                                   std::vector<launch::LaunchedProgram>& programs) {
  if (options.places && options.record.empty())
    base::fail(base::Status::invalid_argument, "--places needs --record");
  if (options.record.empty()) {
    // A rank of a job that is recorded may start this one.
    if (base::text(base::Variable::record)) {
      const std::string nothing = fmt::format("{}=", base::name_of(base::Variable::record));
      for (launch::LaunchedProgram& program : programs)
        program.setting.environment.push_back(nothing);
    }
    return std::nullopt;
  }
  std::optional<JobRecord> record(options.record);
  for (launch::LaunchedProgram& program : programs)
    record->ask(program,
                options.places ? JobRecord::Places::recorded : JobRecord::Places::left_out);
  return record;
}

// Returns the virtual time of the job if one is asked for, and lets its programs have it.
std::optional<VirtualTime> virtual_time_of(const RunOptions& options,
                                           std::vector<launch::LaunchedProgram>& programs,
                                           int ranks) {
  const VirtualTimeOptions& time = options.time;
  if (time.machine.empty()) {
    if (!time.topology.empty() || time.seed || time.noise || time.drift || time.top ||
        !time.svg.empty() || !time.trace.empty() || !time.heat.empty())
      base::fail(base::Status::invalid_argument,
                 "--topology, --seed, --noise, --drift, --top, --svg, --trace and --heat need "
                 "--machine");
    leave_virtual_time(programs);
    return std::nullopt;
  }
  std::optional<VirtualTime> virtual_time(std::in_place, time, ranks);
  virtual_time->ask(programs);
  return virtual_time;
}

// Returns the words of the programs, as reports name the job.
std::string title_of(const std::vector<launch::LaunchedProgram>& programs) {
  std::vector<std::string> titles;
  for (const launch::LaunchedProgram& program : programs)
    titles.push_back(fmt::format("{}", fmt::join(program.arguments, " ")));
  return fmt::format("{}", fmt::join(titles, " : "));
}

// Returns false if the record of the job cannot be written. The job has ended as it has.
bool finish(const JobRecord& record) {
  try {
    base::notice("tutti run: {}\n", record.finish());
    return true;
  } catch (const base::Error& error) {
    base::notice("tutti run: {}\n", error.what());
    return false;
  }
}

launch::SupervisorOptions supervisor_options_of(
    const RunOptions& options, const std::vector<launch::LaunchedProgram>& programs, int ranks) {
  launch::SupervisorOptions made;
  made.output = {.tagged = options.tag_output, .folder = options.output};
  if (options.timeout > 0) made.timeout = options.timeout;
  made.stdin_rank = stdin_rank(options, ranks);
  made.processors = bind_ranks(options.bind, ranks, these_processors());
  made.operation_name = schedule::name_in_report;
  made.programs = programs;
  return made;
}

// Writes what the job leaves behind. Returns false, after a message, if something is missing.
bool finish(const RunOptions& options, const launch::Outcome& outcome,
            const std::optional<JobRecord>& record, std::optional<VirtualTime>& virtual_time) {
  std::optional<nlohmann::json> time;
  if (virtual_time) time = virtual_time->finish(outcome.cut_short);
  const bool timed = time || !virtual_time;
  const bool reported = options.report.empty() || write_report(options.report, outcome, time);
  // Processes that were killed have left their parts of the trace.
  if (const auto file = base::text(base::Variable::trace)) trace::collect(*file);
  const bool recorded = !record || finish(*record);
  return reported && recorded && timed;
}

int run(const RunOptions& options, const std::vector<std::string>& tail) {
  return reporting_errors("run", [&] {
    std::vector<launch::LaunchedProgram> programs = programs_of(options.first, tail);
    warn_of_misspelt_variables(programs);
    if (const auto note = launch::note_on_several_jobs()) base::notice("tutti run: {}\n", *note);
    const int ranks = ranks_of(programs);
    launch::require_room(ranks, {.tagged = options.tag_output, .folder = options.output});
    give_libraries(programs, options.preload);
    const std::optional<JobRecord> record = record_of(options, programs);
    std::optional<VirtualTime> virtual_time = virtual_time_of(options, programs, ranks);
    launch::SupervisorOptions supervised = supervisor_options_of(options, programs, ranks);
    if (!options.output.empty()) launch::make_output_folder(options.output);
    supervised.advice = [&](const launch::Outcome& outcome) {
      return advice_on(outcome, programs);
    };
    auto mapping = transport::shm::Mapping::create(
        {.world_size = static_cast<std::uint32_t>(ranks), .limit_bytes = {}});
    if (virtual_time) {
      virtual_time->start(mapping, title_of(programs));
      supervised.board = &virtual_time->board();
      supervised.timekeeper = virtual_time->timekeeper();
    }
    const launch::Descriptor reaper = launch::go_below_reaper();
    supervised.reaper = reaper.get();
    launch::Supervisor supervisor(mapping, std::move(supervised));
    supervisor.start(0);
    const launch::Outcome outcome = supervisor.run();
    const std::string note = options.preload.empty() ? note_on_mpi(outcome, programs) : "";
    if (!note.empty()) base::notice("tutti run: {}\n", note);
    const bool ended_well = finish(options, outcome, record, virtual_time);
    return ended_well || outcome.exit_code != 0 ? outcome.exit_code : 1;
  });
}

void add_time_options(CLI::App& command, VirtualTimeOptions& time) {
  command
      .add_option("--machine", time.machine,
                  "give the job the time of a described machine, a name or a file; tutti info "
                  "--machines lists those there are")
      ->type_name("M");
  command
      .add_option("--topology", time.topology, "of the machine, instead of its own, as mesh:4x8")
      ->type_name("T");
  command.add_option("--seed", time.seed, "of the machine's drift and noise; default 1")
      ->type_name("N");
  command.add_option("--noise", time.noise, "instead of the machine's, microseconds")
      ->type_name("US")
      ->check(number_from_zero());
  command.add_option("--drift", time.drift, "instead of the machine's, microseconds")
      ->type_name("US")
      ->check(number_from_zero());
  command.add_option("--top", time.top, "how many contentions the report names; default 5")
      ->type_name("K")
      ->check(whole_number(0));
  command.add_option("--svg", time.svg, "a time line of all ranks into this file")
      ->type_name("FILE");
  command.add_option("--trace", time.trace, "a trace for chrome://tracing into this file")
      ->type_name("FILE");
  command.add_option("--heat", time.heat, "a picture of how busy links were into this file")
      ->type_name("FILE");
  command.add_flag("--force", time.force, "write pictures and traces of any size");
}

}  // namespace

void add_run(CLI::App& app, const std::vector<std::string>& program, int& code) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", description);
  command->formatter(std::make_shared<UsageFormatter>(run_usage));
  command->footer(run_footer);
  add_program_options(*command, options->first);
  command
      ->add_option("--output", options->output,
                   "write each rank's output to files of its own in this folder")
      ->type_name("DIR");
  command->add_flag("--tag-output", options->tag_output,
                    "put \"[rank] \" in front of every line of output");
  command
      ->add_option("--timeout", options->timeout,
                   "end the job after this time and tell who waits for whom")
      ->type_name("SECONDS")
      ->check(positive_seconds());
  command
      ->add_option("--bind", options->bind,
                   fmt::format("bind rank r to part r of the machine: {}", bindings))
      ->type_name("WHAT");
  command
      ->add_option("--stdin", options->stdin_rank, "the rank that reads stdin, or none (default 0)")
      ->type_name("RANK");
  command
      ->add_option("--report", options->report, "write how every rank ended to this file, as JSON")
      ->type_name("FILE");
  command
      ->add_option("--record", options->record,
                   "record the run in this file, for tutti simulate FILE --machine M")
      ->type_name("FILE");
  command->add_flag("--places", options->places,
                    "record also from which place of the program each call comes");
  add_time_options(*command, options->time);
  command
      ->add_option("--preload", options->preload,
                   "put tutti's blacs, bsp or pvm before the program's own")
      ->type_name("INTERFACE")
      ->check(CLI::IsMember(preloadable()));
  command->callback([options, &program, &code] { code = run(*options, program); });
}

std::vector<std::string> split_program(const CLI::App& app, std::vector<std::string>& arguments) {
  constexpr std::string_view verbs[] = {"run", "mpi"};
  if (arguments.empty() || std::ranges::count(verbs, arguments.front()) == 0) return {};
  const CLI::App* command = app.get_subcommand(arguments.front());
  std::vector<std::string> words(arguments.begin() + 1, arguments.end());
  const auto program = words.begin() + static_cast<std::ptrdiff_t>(take_options(*command, words));
  arguments.assign(words.begin(), program);
  arguments.insert(arguments.begin(), command->get_name());
  return {program, words.end()};
}

}  // namespace tutti::tools

// SPDX-License-Identifier: BSD-3-Clause
// The command line of `tutti`: declares all subcommands and runs the chosen one.
#include <algorithm>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.hpp"
#include "base/environment.hpp"
#include "commands.hpp"
#include "launch/launchers.hpp"
#include "measure/measuring.hpp"
#include "support/child.hpp"
#include "support/command_line.hpp"
#include "support/complete.hpp"

namespace {

// Warns of misspelt variables here and not in each rank. A program that tutti run starts has the
// job descriptor in its environment and does not warn.
void warn_of_misspelt_variables() {
  if (tutti::base::text(tutti::base::Variable::job)) return;
  if (tutti::base::mpi_launcher_rank().value_or(0) > 0) return;
  tutti::base::warn_of(tutti::base::misspelt_variables());
}

using namespace tutti::tools;

// A verb of another program.
struct VerbElsewhere {
  const char* name;
  const char* about;  // nullptr if no help lists it
  Elsewhere program;
};
constexpr VerbElsewhere verbs_elsewhere[] = {
#define TUTTI_STUDY_VERB(name, about) {#name, about, Elsewhere::study},
#include "subcommands/verbs.def"
#undef TUTTI_STUDY_VERB
#define TUTTI_MEASURE_VERB(name, about) {#name, about, Elsewhere::measure},
#include "measure/verbs.def"
#undef TUTTI_MEASURE_VERB
    {worker_verb, nullptr, Elsewhere::measure},
    {timekeeper_verb, nullptr, Elsewhere::study},
};

// Returns the verb of another program that the arguments name, or for which they ask help or
// completions; nullptr if there is none.
const VerbElsewhere* verb_elsewhere(const std::vector<std::string>& arguments) {
  const bool about = !arguments.empty() && (arguments[0] == "help" || arguments[0] == "complete");
  const std::size_t place = about ? 1 : 0;
  if (arguments.size() <= place) return nullptr;
  const auto* const found =
      std::ranges::find(verbs_elsewhere, arguments[place], &VerbElsewhere::name);
  return found != std::end(verbs_elsewhere) ? found : nullptr;
}

// Returns the exit code. The other ranks of an MPI wait for one that ends before it has begun MPI.
int without_leaving_others(int code, int argc, char** argv) {
  const std::string_view verb = argc > 1 ? argv[1] : "";
  if (code != 0 && (verb == "mpi" || verb == "spare")) tutti::launch::end_job_of_mpich(code);
  return code;
}

void add_verbs(CLI::App& app, const std::vector<std::string>& arguments,
               const std::vector<std::string>& program, int& code) {
  add_run(app, program, code);
  add_preload(app, code);
  add_mpi(app, program, code);
  add_spare(app, code);
  for (const VerbElsewhere& verb : verbs_elsewhere)
    if (verb.about != nullptr) app.add_subcommand(verb.name, verb.about);
  add_reproduce(app, arguments, code);
  add_pvm(app, code);
  add_pvm_cc(app, code);
  add_complete(app, [&app](auto& words) { return split_program(app, words); });
  add_help(app);
}

}  // namespace

int main(int argc, char** argv) try {
  tutti::base::open_missing_stdio();
  warn_of_misspelt_variables();
  CLI::App app("tutti: collective communication as schedules", "tutti");
  app.set_version_flag("--version", std::string("tutti ") + TUTTI_VERSION);
  app.require_subcommand(1);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (const VerbElsewhere* verb = verb_elsewhere(arguments)) {
    return reporting_errors(
        verb->name, [&] { return run_in(verb->program, argc, argv); }, 1);
  }
  std::vector<std::string> program;
  int code = 0;
  add_verbs(app, arguments, program, code);
  const int ended = run_command(app, arguments, code, [&](std::vector<std::string>& rest) {
    program = split_program(app, rest);
  });
  return without_leaving_others(ended, argc, argv);
} catch (const std::bad_alloc&) {
  return without_leaving_others(tutti::tools::out_of_memory("tutti"), argc, argv);
}

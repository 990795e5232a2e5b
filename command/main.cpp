// SPDX-License-Identifier: BSD-3-Clause
// The command line of `tutti`: declares all subcommands and runs the chosen one.
#include <new>
#include <string>
#include <vector>

#include "base/descriptor.hpp"
#include "base/environment.hpp"
#include "commands.hpp"
#include "support/command_line.hpp"

namespace {

// Warns of misspelt variables here and not in each rank. A program that tutti run starts has the
// job descriptor in its environment and does not warn.
void warn_of_misspelt_variables() {
  if (tutti::base::text(tutti::base::Variable::job)) return;
  if (tutti::base::mpi_launcher_rank().value_or(0) > 0) return;
  tutti::base::warn_of(tutti::base::misspelt_variables());
}

using namespace tutti::tools;

void add_verbs(CLI::App& app, const std::vector<std::string>& arguments,
               const std::vector<std::string>& program, int& code) {
  add_run(app, program, code);
  add_preload(app, code);
  add_mpi(app, program, code);
  add_spare(app, code);
  add_info(app, code);
  add_explain(app, code);
  add_draw(app, code);
  add_simulate(app, code);
  add_verify(app, code);
  add_export(app, code);
  add_schedule(app, code);
  add_bench(app, code);
  add_tune(app, code);
  add_probe(app, code);
  add_predict(app, code);
  add_reproduce(app, arguments, code);
  add_trace(app, code);
  add_pvm(app, code);
  add_pvm_cc(app, code);
  add_complete(app);
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
  std::vector<std::string> program;
  int code = 0;
  add_verbs(app, arguments, program, code);
  return run_command(app, arguments, code,
                     [&](std::vector<std::string>& rest) { program = split_program(app, rest); });
} catch (const std::bad_alloc&) {
  return tutti::tools::out_of_memory("tutti");
}

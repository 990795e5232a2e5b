// SPDX-License-Identifier: BSD-3-Clause
// The command line of `tutti`.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "commands.hpp"
#include "support/command_line.hpp"

namespace {

// Here, and not in each rank: what tutti run starts finds the job's descriptor in its environment.
void warn_of_misspelt_variables() {
  if (tutti::base::text(tutti::base::Variable::job)) return;
  if (tutti::base::mpi_launcher_rank().value_or(0) > 0) return;
  tutti::base::warn_of(tutti::base::misspelt_variables());
}

using namespace tutti::tools;

void add_verbs(CLI::App& app, const std::vector<std::string>& program, int& code) {
  add_run(app, program, code);
  add_preload(app, code);
  add_spare(app, code);
  add_info(app, code);
  add_explain(app, code);
  add_draw(app, code);
  add_simulate(app, code);
  add_verify(app, code);
  add_bench(app, code);
  add_tune(app, code);
  add_probe(app, code);
  add_predict(app, code);
  add_reproduce(app, code);
  add_pvm(app, code);
  add_pvm_cc(app, code);
  add_complete(app);
  add_help(app);
}

void parse(CLI::App& app, std::vector<std::string> arguments, std::vector<std::string>& program) {
  require_verb(app, arguments);
  program = split_program(app, arguments);
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes a vector from its end
  app.parse(std::move(arguments));
}

// The exit code of what the arguments ask for.
int run_command(CLI::App& app, const std::vector<std::string>& arguments) {
  int code = 0;
  std::vector<std::string> program;
  add_verbs(app, program, code);
  const std::string command = name_of_command(app, arguments);
  try {
    parse(app, arguments, program);
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "{}: {}\n", command, complaint(app, arguments, error.what()));
    return usage_error;
  } catch (const tutti::base::Error& error) {  // an option's value
    fmt::print(stderr, "{}: {} (see {} --help)\n", command, error.what(), command);
    return usage_error;
  } catch (const std::exception& error) {
    const char* what = std::ferror(stdout) != 0 ? "the output cannot be written: " : "";
    fmt::print(stderr, "{}: {}{}\n", command, what, error.what());
    return 1;
  }
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  warn_of_misspelt_variables();
  CLI::App app("tutti: collective communication as schedules", "tutti");
  app.set_version_flag("--version", std::string("tutti ") + TUTTI_VERSION);
  app.require_subcommand(1);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const int code = run_command(app, arguments);
  return after_output(name_of_command(app, arguments), code);
}

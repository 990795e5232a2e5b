// SPDX-License-Identifier: BSD-3-Clause
// The command line of `tutti`.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <string>
#include <vector>

#include "base/environment.hpp"
#include "commands.hpp"

namespace {

// Here, and not in each rank: what tutti run starts has its job's ticket.
void warn_of_misspelt_variables() {
  if (tutti::base::text(tutti::base::Variable::job)) return;
  if (tutti::base::mpi_launcher_rank().value_or(0) > 0) return;
  for (const std::string& sentence : tutti::base::misspelt_variables()) fmt::print(stderr, "tutti: {}\n", sentence);
}

}  // namespace

int main(int argc, char** argv) {
  warn_of_misspelt_variables();
  int code = 0;
  CLI::App app("tutti: collective communication as schedules", "tutti");
  app.set_version_flag("--version", std::string("tutti ") + TUTTI_VERSION);
  app.require_subcommand(1);
  std::vector<std::string> program;
  tutti::tools::add_run(app, program, code);
  tutti::tools::add_preload(app, code);
  tutti::tools::add_spare(app, code);
  tutti::tools::add_info(app, code);
  tutti::tools::add_explain(app, code);
  tutti::tools::add_draw(app, code);
  tutti::tools::add_simulate(app, code);
  tutti::tools::add_verify(app, code);
  tutti::tools::add_bench(app, code);
  tutti::tools::add_tune(app, code);
  tutti::tools::add_probe(app, code);
  tutti::tools::add_predict(app, code);
  tutti::tools::add_reproduce(app, code);
  tutti::tools::add_pvm(app, code);
  tutti::tools::add_pvm_cc(app, code);
  tutti::tools::add_complete(app);
  try {
    std::vector<std::string> arguments(argv + 1, argv + argc);
    program = tutti::tools::split_program(app, arguments);
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes a vector from its end
    app.parse(std::move(arguments));
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "tutti: {} (see tutti --help)\n", error.what());
    return tutti::tools::usage_error;
  } catch (const std::exception& error) {
    fmt::print(stderr, "tutti: {}\n", error.what());
    return 1;
  }
  return code;
}

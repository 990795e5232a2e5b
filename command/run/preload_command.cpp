// SPDX-License-Identifier: BSD-3-Clause
// `tutti preload INTERFACE program args...` replaces itself by the program, with tutti's library
// loaded before the program's own. It starts no job, so it can follow the launcher of an MPI.
#include <memory>
#include <utility>

#include "commands.hpp"
#include "run/preload.hpp"

namespace tutti::tools {
namespace {

constexpr const char* preload_footer =
    "INTERFACE is blacs, bsp or pvm. Everything after the program belongs to the program. Under "
    "the launcher of an MPI\n"
    "(mpirun -n 4 tutti preload blacs ./program) the library is the one for that MPI; under tutti "
    "run,\n"
    "tutti run --preload does the same. A program that has functions of the interface of its own, "
    "or is static, is refused.\n\n"
    "Exit code: that of the program, 127 when there is no such program, 126 when it cannot be run, "
    "2 when it is refused.";

constexpr const char* preload_usage = "Usage: tutti preload INTERFACE program [arguments...]\n";

int become(std::vector<std::string> words) {
  if (words.empty() || words.size() == 1) {
    base::fail(base::Status::invalid_argument,
               "an interface and a program are needed; see tutti preload --help");
  }
  const std::string interface = words.front();
  words.erase(words.begin(), words.begin() + (words[1] == "--" ? 2 : 1));
  if (words.empty())
    base::fail(base::Status::invalid_argument, "there is no program; see tutti preload --help");
  launch::LaunchedProgram program;
  program.executable = words.front();
  program.arguments = words;
  const LoadedFirst first = preload("preload", interface, program, Launcher::any);
  return become_program("preload", std::move(words), first);
}

}  // namespace

void add_preload(CLI::App& app, int& code) {
  CLI::App* command = app.add_subcommand(
      "preload", "Becomes a program that finds tutti's BLACS, BSPlib or PVM first.");
  command->formatter(std::make_shared<UsageFormatter>(preload_usage));
  command->footer(preload_footer);
  command->prefix_command();
  command->callback([command, &code] {
    code = reporting_errors("preload", [command] { return become(command->remaining()); });
  });
}

}  // namespace tutti::tools

// SPDX-License-Identifier: BSD-3-Clause
// `tutti preload INTERFACE program args...` replaces itself by the program, with tutti's library
// loaded before the program's own. It starts no job, so it can follow the launcher of an MPI.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "commands.hpp"
#include "run/preload.hpp"

namespace tutti::tools {
namespace {

constexpr int cannot_be_run = 126;
constexpr int no_such_program = 127;

constexpr const char* footer =
    "INTERFACE is blacs, bsp or pvm. Everything after the program belongs to the program. Under "
    "the launcher of an MPI\n"
    "(mpirun -n 4 tutti preload blacs ./program) the library is the one for that MPI; under tutti "
    "run,\n"
    "tutti run --preload does the same. A program that has functions of the interface of its own, "
    "or is static, is refused.\n\n"
    "Exit code: that of the program, 127 when there is no such program, 126 when it cannot be run, "
    "2 when it is refused.";

class Help : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: tutti preload INTERFACE program [arguments...]\n";
  }
};

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
  put_first(preload("preload", interface, program, Launcher::any));
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  (void)::execvp(arguments.front(), arguments.data());
  const int error = errno;
  fmt::print(stderr, "tutti preload: {} cannot be run: {}\n", words.front(), std::strerror(error));
  return error == ENOENT ? no_such_program : cannot_be_run;
}

}  // namespace

void add_preload(CLI::App& app, int& code) {
  CLI::App* command = app.add_subcommand(
      "preload", "Becomes a program that finds tutti's BLACS, BSPlib or PVM first.");
  command->formatter(std::make_shared<Help>());
  command->footer(footer);
  command->prefix_command();
  command->callback([command, &code] {
    code = reporting_errors("preload", [command] { return become(command->remaining()); });
  });
}

}  // namespace tutti::tools

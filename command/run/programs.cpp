// SPDX-License-Identifier: BSD-3-Clause
// Splits the command line of `tutti run` into programs. A ':' ends a program's arguments. After
// `--`, everything belongs to the last program, even a ':'.
#include "run/programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "support/checks.hpp"

namespace tutti::tools {
namespace {

constexpr const char* separator = ":";
constexpr const char* end_of_options = "--";

// Refuses variables that tutti run sets for each rank, or reads itself when it makes the job: with
// -x they would have no effect.
void refuse_own_variable(const std::string& name) {
  for (const base::Variable set : base::set_by_tutti) {
    if (name == base::name_of(set))
      base::fail(base::Status::invalid_argument, "-x: tutti run itself sets {}", name);
  }
  for (const base::Variable read : {base::Variable::deaths, base::Variable::shm_limit}) {
    if (name != base::name_of(read)) continue;
    base::fail(
        base::Status::invalid_argument,
        "-x: {} is for the whole job: set it in front of the command, as in {}=... tutti run", name,
        name);
  }
}

// Returns the "NAME=VALUE" entries. Ranks have all variables of this process, so a NAME alone, as
// mpirun needs it, adds nothing.
std::vector<std::string> environment_of(const std::vector<std::string>& variables) {
  std::vector<std::string> environment;
  for (const std::string& variable : variables) {
    const std::string name = variable.substr(0, variable.find('='));
    if (name.empty())
      base::fail(base::Status::invalid_argument, "-x takes VAR=VALUE, not '{}'", variable);
    refuse_own_variable(name);
    if (name != variable) environment.push_back(variable);
  }
  return environment;
}

// Removes the program and its arguments from the front of `words`, with the ':' that ends them.
std::vector<std::string> take_command(std::vector<std::string>& words, bool& another) {
  const bool takes_all = !words.empty() && words.front() == end_of_options;
  if (takes_all) words.erase(words.begin());
  const auto end = takes_all ? words.end() : std::find(words.begin(), words.end(), separator);
  std::vector<std::string> command(words.begin(), end);
  another = end != words.end();
  words.erase(words.begin(), another ? end + 1 : end);
  return command;
}

launch::LaunchedProgram program_of(const ProgramOptions& options,
                                   std::vector<std::string> command) {
  launch::LaunchedProgram program;
  program.executable = command.front();
  program.arguments = std::move(command);
  program.ranks = options.ranks;
  program.setting = {options.folder, environment_of(options.variables)};
  return program;
}

std::string option_names(const CLI::App& parser) {
  std::string names;
  for (const CLI::Option* option : parser.get_options()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", option->get_name());
  }
  return names;
}

// Reads the options of the program after a ':'. `number` counts the programs from 1.
ProgramOptions options_behind(std::vector<std::string>& words, std::size_t number) {
  ProgramOptions options;
  CLI::App parser("", "run");
  parser.set_help_flag();
  add_program_options(parser, options);
  const auto end = words.begin() + static_cast<std::ptrdiff_t>(take_options(parser, words));
  std::vector<std::string> own(words.begin(), end);
  words.erase(words.begin(), end);
  std::reverse(own.begin(), own.end());  // CLI11 reads a vector from its end
  try {
    parser.parse(std::move(own));
  } catch (const CLI::ParseError& error) {
    base::fail(base::Status::invalid_argument,
               "program {} of the command line: {} (behind a ':' there are the options {})", number,
               error.what(), option_names(parser));
  }
  return options;
}

}  // namespace

void add_program_options(CLI::App& command, ProgramOptions& options) {
  command.add_option("-n,--ranks", options.ranks, "number of processes of the program")
      ->required()
      ->type_name("N")
      ->check(positive_count());
  command
      .add_option("-x", options.variables,
                  "set a variable for the program's ranks; may be repeated")
      ->type_name("VAR=VALUE")
      ->allow_extra_args(false);
  command.add_option("--wdir", options.folder, "start the program's ranks in this folder")
      ->type_name("DIR");
}

std::size_t take_options(const CLI::App& command, std::vector<std::string>& words) {
  std::size_t taken = 0;
  while (taken < words.size() && words[taken].size() > 1 && words[taken].front() == '-' &&
         words[taken] != end_of_options) {
    std::string& word = words[taken];
    if (word == "-np") word = "-n";
    if (word == "-wdir") word = "--wdir";
    // An option that has a value takes the next argument too. "-n4" and "--timeout=3" hold their
    // values and are not found by name.
    const CLI::Option* option = command.get_option_no_throw(word);
    taken +=
        option != nullptr && option->get_expected_max() > 0 && taken + 1 < words.size() ? 2 : 1;
  }
  return taken;
}

std::vector<launch::LaunchedProgram> programs_of(const ProgramOptions& first,
                                                 std::vector<std::string> tail) {
  std::vector<launch::LaunchedProgram> programs;
  ProgramOptions options = first;
  for (bool another = true; another;) {
    std::vector<std::string> command = take_command(tail, another);
    if (command.empty()) {
      base::fail(base::Status::invalid_argument,
                 "there is no program to run{}; see tutti run --help",
                 another ? " before a ':'" : "");
    }
    programs.push_back(program_of(options, std::move(command)));
    if (!another) break;
    if (tail.empty()) {
      base::fail(base::Status::invalid_argument,
                 "there is no program behind the last ':'; a ':' that is an argument of a program "
                 "needs -- before the program");
    }
    options = options_behind(tail, programs.size() + 1);
  }
  return programs;
}

}  // namespace tutti::tools

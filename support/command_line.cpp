// SPDX-License-Identifier: BSD-3-Clause
// Runs the verb that the command line names, and explains errors in the command line.
#include "support/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string_view>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "base/notice.hpp"
#include "support/answer.hpp"
#include "support/help.hpp"
#include "support/parse_words.hpp"
#include "support/reporting.hpp"

namespace tutti::tools {
namespace {

const CLI::App* verb_named(const CLI::App& app, const std::string& name) {
  const auto found =
      app.get_subcommands([&](const CLI::App* each) { return each->get_name() == name; });
  return found.empty() ? nullptr : found.front();
}

const CLI::App* verb_of(const CLI::App& app, const std::vector<std::string>& arguments) {
  return arguments.empty() ? nullptr : verb_named(app, arguments.front());
}

// Returns the verbs that the help lists.
std::vector<std::string_view> verbs_of(const CLI::App& app) {
  std::vector<std::string_view> names;
  for (const CLI::App* verb :
       app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); }))
    names.push_back(verb->get_name());
  return names;
}

const CLI::App& require_verb(const CLI::App& app, const std::string& name) {
  if (const CLI::App* verb = verb_named(app, name)) return *verb;
  base::fail(base::Status::invalid_argument, "there is no verb '{}'{}", shortened(name),
             base::did_you_mean(name, verbs_of(app)));
}

// Returns for example "tutti run", or "tutti" if the arguments name no verb.
std::string name_of_command(const CLI::App& app, const std::vector<std::string>& arguments) {
  const CLI::App* verb = verb_of(app, arguments);
  return verb == nullptr ? app.get_name() : app.get_name() + " " + verb->get_name();
}

// Returns true if the arguments ask a verb for JSON. The words of a program that `tutti run` starts
// are not looked at, because that verb has no such option. If the verb passes words on,
// as `tutti pvm` does, only its first two words are looked at.
bool asks_for_json(const CLI::App& app, const std::vector<std::string>& arguments) {
  const CLI::App* verb = verb_of(app, arguments);
  if (verb == nullptr || verb->get_option_no_throw("--json") == nullptr) return false;
  constexpr std::size_t own_words = 3;  // the verb, --json and a command, in either order
  const std::size_t end = verb->get_prefix_command() ? own_words : arguments.size();
  const auto last =
      arguments.begin() + static_cast<std::ptrdiff_t>(std::min(end, arguments.size()));
  return std::find(arguments.begin(), last, "--json") != last;
}

// Returns one line without the command's name: the error in the arguments, and the command whose
// help explains more.
std::string complaint(const CLI::App& app, const std::vector<std::string>& arguments,
                      const CLI::ParseError& error) {
  std::string what = words_of(app, error);
  // CLI11 puts the name of an option in front, which is empty for a hidden one.
  if (what.starts_with(": ")) what.erase(0, 2);
  if (app.remaining(true).empty() && verb_of(app, arguments) == nullptr)
    what = "a verb is needed, such as run, info or explain";
  return fmt::format("{} (see {} --help)", what, name_of_command(app, arguments));
}

// Returns `code`. If it is 0 and standard output could not take everything, prints a message and
// returns 1.
int after_output(const std::string& command, int code) {
  const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  const int error = errno;
  if (written || code != 0) return code;
  // An earlier write may have failed, and another call since then for another reason.
  const bool of_writes =
      error == ENOSPC || error == EDQUOT || error == EIO || error == EFBIG || error == EBADF;
  base::notice("{}: the output cannot be written{}{}\n", command, of_writes ? ": " : "",
               of_writes ? std::strerror(error) : "");
  return 1;
}

void parse(CLI::App& app, std::vector<std::string> arguments,
           const std::function<void(std::vector<std::string>&)>& take_program) {
  if (!arguments.empty() && !arguments.front().starts_with("-"))
    static_cast<void>(require_verb(app, arguments.front()));
  take_program(arguments);
  std::reverse(arguments.begin(), arguments.end());  // CLI11 reads a vector from its end
  app.parse(std::move(arguments));
}

}  // namespace

void add_help(CLI::App& app) {
  auto verb = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("help", "Prints the help of a verb.");
  command->add_option("verb", *verb, "such as run; without it, what verbs there are")
      ->type_name("VERB");
  command->callback([verb, &app] {
    if (verb->empty()) {
      app.clear();  // without this, the help would be that of `help`
      return fmt::print("{}", app.help());
    }
    fmt::print("{}", require_verb(app, *verb).help(app.get_name()));
  });
}

int out_of_memory(const char* command) {
  std::fprintf(stderr, "%s: out of memory\n", command);
  return 1;
}

int run_command(CLI::App& app, const std::vector<std::string>& arguments, const int& code,
                const std::function<void(std::vector<std::string>&)>& take_program) {
  style_help(app);
  const std::string command = name_of_command(app, arguments);
  const auto failed = [&](base::Status status, const std::string& message, int exit_code) {
    print_error(command, status, message, exit_code);
    return exit_code;
  };
  answer_in_json(asks_for_json(app, arguments));
  try {
    parse(app, arguments, take_program);
  } catch (const CLI::Success& asked) {  // --help or --version
    return after_output(command, app.exit(asked));
  } catch (const CLI::ParseError& error) {
    return failed(base::Status::invalid_argument, complaint(app, arguments, error), usage_error);
  } catch (const base::Error& error) {  // the value of an option is wrong
    return failed(error.status(), fmt::format("{} (see {} --help)", error.what(), command),
                  usage_error);
  } catch (const std::bad_alloc&) {
    throw;  // there may be no memory for what else is said of an error
  } catch (const std::exception& error) {
    const char* what = std::ferror(stdout) != 0 ? "the output cannot be written: " : "";
    return failed(base::Status::system_error, fmt::format("{}{}", what, error.what()), 1);
  }
  return after_output(command, code);
}

int run_verbs(const char* about, const std::function<void(CLI::App&, int& code)>& add, int argc,
              char** argv) try {
  CLI::App app(about, "tutti");
  app.require_subcommand(1);
  int code = 0;
  add(app, code);
  return run_command(app, {argv + 1, argv + argc}, code);
} catch (const std::bad_alloc&) {
  return out_of_memory("tutti");
}

}  // namespace tutti::tools

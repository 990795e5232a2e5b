// SPDX-License-Identifier: BSD-3-Clause
// Prints the words that may come next on a command line, for the completions of bash and zsh.
// Verbs, options and most values are read from the parser, so this file keeps no list of them.
#include "support/complete.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/registry.hpp"
#include "machine/machine.hpp"
#include "machine/profile.hpp"
#include "schedule/printer.hpp"
#include "selection/names.hpp"

namespace tutti::tools {
namespace {

using Words = std::vector<std::string>;

// The answer where a program or a file name may stand; the shell completes those itself.
const Words files = {":files"};

bool is_shown(const std::string& group) {
  return !group.empty();
}

Words shown_verbs(const CLI::App& app) {
  Words names;
  for (const CLI::App* verb :
       app.get_subcommands([](const CLI::App* each) { return is_shown(each->get_group()); }))
    names.push_back(verb->get_name());
  return names;
}

Words options_of(const CLI::App& verb) {
  Words names;
  for (const CLI::Option* option : verb.get_options()) {
    if (!is_shown(option->get_group())) continue;
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

Words operation_names() {
  Words names;
  for (int i = 0; i < schedule::operation_kinds; ++i)
    names.emplace_back(schedule::to_text(static_cast<schedule::Operation>(i)));
  return names;
}

bool names(schedule::Operation operation, const std::string& word) {
  return schedule::to_text(operation) == word ||
         algorithms::is_word_of(word, facts_of(operation).aliases);
}

// Returns the algorithms of the operation that the line names, or of all operations.
Words algorithm_names(const Words& line) {
  std::set<std::string> every, fitting;
  for (const schedule::Generator* generator : algorithms::all()) {
    every.emplace(generator->name);
    const auto is_its_operation = [&](const std::string& word) {
      return names(generator->operation, word);
    };
    if (std::any_of(line.begin(), line.end(), is_its_operation)) fitting.emplace(generator->name);
  }
  const std::set<std::string>& chosen = fitting.empty() ? every : fitting;
  return {chosen.begin(), chosen.end()};
}

Words machine_names() {
  std::set<std::string> every;
  for (const Words& some : {machine::builtin_machines(), machine::builtin_profiles()})
    every.insert(some.begin(), some.end());
  return {every.begin(), every.end()};
}

// Returns the words that an option allows: "NAME:{each,put}" gives "each" and "put".
Words checked_words(const std::string& type) {
  const std::size_t begin = type.find('{'), end = type.rfind('}');
  if (begin == std::string::npos || end == std::string::npos) return {};
  return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

Words values_of(const CLI::App& app, const CLI::Option& option, const Words& line) {
  const std::string type = option.get_type_name();
  const std::string name =
      option.get_lnames().empty() ? option.get_name() : option.get_lnames().front();
  if (Words checked = checked_words(type); !checked.empty()) return checked;
  if (name == "operation") return operation_names();
  if (name == "algorithm") return algorithm_names(line);
  if (name == "machine") return machine_names();
  if (name == "verb") return shown_verbs(app);
  const bool is_file = name == "FILE" || type == "FILE" || type == "PATH" || type == "PATHS";
  return is_file || type == "DIR" ? files : Words{};
}

// The role of the last word of a line: the value of `option`, or else the positional argument with
// this number.
struct Place {
  const CLI::Option* option = nullptr;
  std::size_t number = 0;
};

Place place_of_last(const CLI::App& verb, const Words& line) {
  Place place;
  for (std::size_t i = 1; i + 1 < line.size(); ++i) {
    if (place.option != nullptr) {
      place.option = nullptr;
    } else if (line[i].size() > 1 && line[i].front() == '-') {
      const CLI::Option* option = verb.get_option_no_throw(line[i]);
      if (option != nullptr && option->get_expected_max() > 0) place.option = option;
    } else {
      ++place.number;
    }
  }
  return place;
}

const CLI::Option* positional(const CLI::App& verb, std::size_t number) {
  for (const CLI::Option* option :
       verb.get_options([](const CLI::Option* each) { return each->get_positional(); })) {
    if (option->get_expected_max() > 1 || number-- == 0) return option;
  }
  return nullptr;
}

// Returns everything that may stand in place of the last word of the line.
Words candidates(const CLI::App& app, const Words& line, const SplitProgram& split_program) {
  const std::string& last = line.back();
  if (line.size() == 1) return last.starts_with("-") ? options_of(app) : shown_verbs(app);
  const auto found =
      app.get_subcommands([&](const CLI::App* each) { return each->get_name() == line.front(); });
  if (found.empty()) return {};
  Words before = line;
  if (last.starts_with("-")) before.pop_back();  // an unfinished option is no program
  if (!split_program(before).empty()) return files;
  const CLI::App& verb = *found.front();
  const Place place = place_of_last(verb, line);
  if (place.option != nullptr) return values_of(app, *place.option, line);
  if (last.starts_with("-")) return options_of(verb);
  const CLI::Option* argument = positional(verb, place.number);
  return argument != nullptr ? values_of(app, *argument, line) : files;
}

// bash splits "--root=3" into three words, zsh leaves it as one. This function makes two words of
// it and returns the "--root=" that zsh needs in front of every printed value.
std::string take_equals_apart(Words& line) {
  if (line.size() > 1 && line.back() == "=") line.emplace_back();
  std::erase(line, "=");
  const std::size_t equals = line.back().find('=');
  if (!line.back().starts_with("--") || equals == std::string::npos) return {};
  std::string value = line.back().substr(equals + 1);
  line.back().erase(equals);
  line.push_back(std::move(value));
  return line[line.size() - 2] + "=";
}

void print_completions(const CLI::App& app, Words line, const SplitProgram& split_program) {
  if (line.empty()) line.emplace_back();
  const std::string prefix = take_equals_apart(line);
  const Words words = candidates(app, line, split_program);
  for (const std::string& word : words)
    if (word == files.front() || word.starts_with(line.back())) fmt::print("{}{}\n", prefix, word);
}

}  // namespace

void add_complete(CLI::App& app, const SplitProgram& split_program) {
  CLI::App* command =
      app.add_subcommand("complete", "Prints what may stand in place of the last of these words.");
  command->group("")->prefix_command()->set_help_flag();
  command->callback([command, &app, split_program] {
    print_completions(app, command->remaining(), split_program);
  });
}

}  // namespace tutti::tools

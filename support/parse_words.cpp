// SPDX-License-Identifier: BSD-3-Clause
// Recognises the texts of CLI11 by their fixed words. One that is not recognised is not shown.
#include "support/parse_words.hpp"

#include <fmt/format.h>

#include <array>
#include <regex>
#include <string_view>
#include <vector>

#include "base/nearest.hpp"
#include "base/printable.hpp"

namespace tutti::tools {
namespace {

// The texts behind the arrows name what the parentheses have found.
struct Wording {
  const char* theirs;
  const char* ours;
};

constexpr std::array wordings{
    Wording{"(.*): 1 required .* missing", "$1 needs a value"},
    Wording{"(.*): ([0-9]+) required .* missing", "$1 needs $2 values"},
    Wording{"(.*): At Most 1 required but received ([0-9]+)", "$1 takes one value, not $2"},
    Wording{"(.*): At Most ([0-9]+) required but received ([0-9]+)",
            "$1 takes at most $2 values, not $3"},
    Wording{"(.*): At least ([0-9]+) required but received ([0-9]+)",
            "$1 needs at least $2 values, not $3"},
    Wording{"Expected exactly ([0-9]+) arguments to (.*), got ([0-9]+)",
            "$2 takes $1 values, not $3"},
    Wording{"Expected at least ([0-9]+) arguments to (.*), got ([0-9]+)",
            "$2 needs at least $1 values, not $3"},
    Wording{"(.*) was given a disallowed flag override", "$1 takes no value"},
    Wording{"(.*): (?:too many inputs for a flag|Should be true/false or a number)",
            "$1 takes no value"},
    Wording{"Could not convert: (.*?) = ([\\s\\S]*)", "$1: '$2' is not understood"},
    Wording{"The value ([\\s\\S]*) is not an allowed value for (.*)", "$2 cannot be '$1'"},
    Wording{"(.*?): ([\\s\\S]*) not in \\{(.*)\\}", "$1: must be one of $3, not '$2'"},
    Wording{"(.*?): Value ([\\s\\S]*) not in range (?:\\[)?[0-9.]+e-[0-9]+ (?:to|-) .*",
            "$1: must be a number above 0, not '$2'"},
    Wording{"(.*?): Value ([\\s\\S]*) not in range (?:\\[)?(.*) (?:to|-) ([^\\]]*)(?:\\])?",
            "$1: must be a number from $3 to $4, not '$2'"},
    Wording{"(.*?): Check ([\\s\\S]*) value in \\{(.*)\\} OR .* FAILED",
            "$1: must be one of $3, not '$2'"},
    Wording{"A subcommand is required", "a word is needed that says what to do"},
    Wording{"(.*) is required", "$1 is required"},
    Wording{"(.*) requires (.*)", "$1 requires $2"},
    Wording{"(.*) excludes (.*)", "$1 excludes $2"},
};

// Returns "auto, blocks" for "auto->0,blocks->1", in which numbers stand for the words.
std::string listed(const std::string& text) {
  const std::string words = std::regex_replace(text, std::regex("->[^,}]*"), "");
  return std::regex_replace(words, std::regex(",(?! )"), ", ");
}

// A matcher takes stack for each character, and a command line may have a million of them. The
// words of CLI11 stand at both ends.
std::string without_middle(const std::string& text) {
  constexpr std::size_t kept = 1000;
  return text.size() <= 2 * kept ? text : text.substr(0, kept) + text.substr(text.size() - kept);
}

// Returns "" if the text is not recognised.
std::string in_our_words(const std::string& text) {
  for (const Wording& wording : wordings) {
    std::smatch found;
    if (!std::regex_match(text, found, std::regex(wording.theirs))) continue;
    std::string ours;
    for (const char* place = wording.ours; *place != '\0'; ++place) {
      if (*place != '$') {
        ours += *place;
        continue;
      }
      const std::string part = found[static_cast<std::size_t>(*++place - '0')];
      const bool list = std::string_view(wording.ours).find("one of $3") != std::string::npos;
      ours += list && *place == '3' ? listed(part) : shortened(part);
    }
    return ours;
  }
  return "";
}

// Returns the command or its verb, whichever takes the words that are left.
const CLI::App& taker_of(const CLI::App& app) {
  const std::vector<const CLI::App*> verbs =
      app.get_subcommands([](const CLI::App* each) { return each->parsed(); });
  return verbs.empty() ? app : *verbs.front();
}

// Returns for example "there is no option '--versoin'; did you mean '--version'?".
std::string unknown_word(const CLI::App& taker, const std::string& word) {
  if (!word.starts_with("-")) return fmt::format("'{}' is a word too many", shortened(word));
  const std::string name = shortened(word.substr(0, word.find('=')));
  std::vector<std::string> known;
  for (const CLI::Option* option :
       taker.get_options([](const CLI::Option* each) { return !each->get_group().empty(); }))
    for (const std::string& long_name : option->get_lnames()) known.push_back("--" + long_name);
  return fmt::format(
      "there is no option '{}'{}", name,
      base::did_you_mean(name, std::vector<std::string_view>(known.begin(), known.end())));
}

}  // namespace

std::string shortened(std::string_view text) {
  return text.size() <= most_shown ? std::string(text)
                                   : std::string(text.substr(0, most_shown)) + "...";
}

std::string words_of(const CLI::App& app, const CLI::ParseError& problem) {
  const std::string text = without_middle(problem.what());
  const std::vector<std::string> rest = app.remaining(true);
  std::string words;
  if (!rest.empty()) {
    words = unknown_word(taker_of(app), rest.front());
  } else {
    words = in_our_words(text);
    // A text that no check of CLI11 has comes from a check of tutti's.
    if (words.empty() && problem.get_name() == "ValidationError") words = text;
    if (words.empty()) words = "the arguments are not understood";
  }
  return base::without_controls(words);
}

}  // namespace tutti::tools

// SPDX-License-Identifier: BSD-3-Clause
// Leaves out what CLI11 adds to an option and its description says already: types of texts, lists
// of words, values of flags, and REQUIRED, which the usage shows.
#include "support/help.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::tools {
namespace {

constexpr std::pair<std::string_view, std::string_view> examples[] = {
#define TUTTI_EXAMPLE(verb, command) {verb, command},
#include "support/examples.def"
#undef TUTTI_EXAMPLE
};

// Returns the text without the parts in braces.
std::string without_braces(std::string text) {
  for (std::size_t at; (at = text.find('{')) != std::string::npos;)
    text.erase(at, text.find('}', at) - at + 1);
  return text;
}

class HelpForm : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    return without_braces(CLI::Formatter::make_option_name(option, is_positional));
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_type_size() == 0) return "";
    std::string type = option->get_type_name();
    type = type.substr(0, type.find(':'));
    return type.empty() || type == "TEXT" ? "" : " " + type;
  }
};

}  // namespace

void style_help(CLI::App& app) {
  const auto form = std::make_shared<HelpForm>();
  app.formatter(form);
  for (CLI::App* verb : app.get_subcommands([](CLI::App*) { return true; })) {
    verb->formatter(form);
    const std::string notes = verb->get_footer();
    for (const auto& [name, command] : examples)
      if (verb->get_name() == name)
        verb->footer(fmt::format("{}{}Example: {}", notes, notes.empty() ? "" : "\n\n", command));
  }
}

}  // namespace tutti::tools

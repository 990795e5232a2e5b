// SPDX-License-Identifier: BSD-3-Clause
// How the applications read their command lines, and the options that several of them have.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <sstream>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "support/parse_words.hpp"

namespace support {

constexpr int exit_usage = 2;

// Reads the words into the options that `app` refers to. `check` may throw another CLI::ParseError.
template <class Options, class Check>
void parse(CLI::App& app, int argc, char** argv, CommandLine<Options>& line, const Check& check) {
  try {
    app.parse(argc, argv);
    check();
  } catch (const CLI::Success& asked) {  // --help
    std::ostringstream out;
    line.exit_code = app.exit(asked, out);
    line.text = out.str();
  } catch (const CLI::ParseError& problem) {
    line.exit_code = exit_usage;
    line.text = app.get_name() + ": " + tutti::tools::words_of(app, problem) + " (see " +
                app.get_name() + " --help)\n";
  }
}
template <class Options>
void parse(CLI::App& app, int argc, char** argv, CommandLine<Options>& line) {
  parse(app, argc, argv, line, [] {});
}

inline void add_processes(CLI::App& app, int& processes, const std::string& name = "processes") {
  app.add_option("-n", processes, name + " of a program that no launcher has started (1)")
      ->check(CLI::Range(1, 1024))
      ->option_text("N");
}
inline void add_runs(CLI::App& app, int& runs, const std::string& help) {
  app.add_option("--runs", runs, help)->check(CLI::Range(1, 1000000))->option_text("N");
}
inline CLI::Option* add_json(CLI::App& app, bool& json) {
  return app.add_flag("--json", json, "print a JSON object");
}

// Reads numbers above 0 with an x between them, and returns whether that was all.
inline bool read_numbers(const std::string& text, const std::vector<int*>& numbers) {
  const char* place = text.data();
  const char* const end = place + text.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0 && (place == end || *place++ != 'x')) return false;
    const auto [next, error] = std::from_chars(place, end, *numbers[i]);
    if (error != std::errc() || *numbers[i] < 1) return false;
    place = next;
  }
  return place == end;
}

inline void add_grid(CLI::App& app, int& rows, int& columns, const std::string& help) {
  app.add_option("--grid", help)
      ->check([&rows, &columns](const std::string& text) {
        return read_numbers(text, {&rows, &columns})
                   ? std::string()
                   : "'" + text + "' is no grid: give it as rows x columns, such as 2x4";
      })
      ->option_text("PxQ");
}

}  // namespace support

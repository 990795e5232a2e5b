// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
#include <sstream>

namespace lu {
namespace {

constexpr int exit_usage = 2;

// Reads "2x4" and returns what is wrong with it, or nothing.
std::string read_grid(const std::string& text, Options& options) {
  const char* const end = text.data() + text.size();
  const auto [cross, rows_error] = std::from_chars(text.data(), end, options.rows);
  if (rows_error == std::errc() && cross != end && *cross == 'x') {
    const auto [last, columns_error] = std::from_chars(cross + 1, end, options.columns);
    if (columns_error == std::errc() && last == end && options.rows > 0 && options.columns > 0)
      return {};
  }
  return "'" + text + "' is no grid: give it as rows x columns, such as 2x4";
}

void add_topology(CLI::App& app, const char* name, std::string& topology, const char* help) {
  app.add_option(name, topology, help)
      ->check([](const std::string& text) {
        constexpr std::string_view letters = " IDSMHFTidsmhft123456789";
        return text.size() == 1 && letters.find(text[0]) != std::string_view::npos
                   ? std::string()
                   : "'" + text + "' is no topology of the BLACS: I D S M H F T or 1 to 9";
      })
      ->option_text("TOP");
}

void describe(CLI::App& app, Options& options) {
  app.add_option("FILE", options.file,
                 "the matrix: Matrix Market or NumPy's .npy (random numbers)");
  app.add_option("--size", options.size, "rows of the random matrix (1000)")
      ->check(CLI::Range(1, 1000000))
      ->option_text("N");
  app.add_option("--seed", options.seed, "of the random numbers (1)")->option_text("N");
  app.add_option("--block", options.block, "rows and columns of a block (64)")
      ->check(CLI::Range(1, 1000000))
      ->option_text("N");
  app.add_option("--grid", "rows and columns of the grid of processes (as square as possible)")
      ->check([&options](const std::string& text) { return read_grid(text, options); })
      ->option_text("PxQ");
  add_topology(app, "--row-topology", options.topologies.row,
               "topology of the broadcasts of panels along grid rows (the BLACS' own choice)");
  add_topology(app, "--column-topology", options.topologies.column,
               "topology of the broadcasts along grid columns");
  add_topology(app, "--combine-topology", options.topologies.combine,
               "topology of the combines that find pivots and add");
  app.add_flag("--look-ahead", options.look_ahead,
               "factorize each panel before the rest of the update before it");
  app.add_option("--runs", options.runs, "factorizations, of which the times are printed (5)")
      ->check(CLI::Range(1, 1000000))
      ->option_text("N");
  app.add_option("-n", options.processes, "processes of a program that no launcher has started (1)")
      ->check(CLI::Range(1, 1024))
      ->option_text("N");
  app.add_flag("--json", options.json, "print a JSON object");
}

}  // namespace

CommandLine parse(int argc, char** argv) {
  CommandLine line;
  CLI::App app(
      "Factorizes a matrix by LU with partial pivoting over the BLACS, and solves with it.",
      "tutti-lu");
  app.set_version_flag("--version", "tutti-lu " TUTTI_VERSION);
  describe(app, line.options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    std::ostringstream out, errors;
    line.exit_code = app.exit(problem, out, errors) == 0 ? 0 : exit_usage;
    line.text = out.str() + errors.str();
  }
  return line;
}

}  // namespace lu

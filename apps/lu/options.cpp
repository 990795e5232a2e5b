// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "parsing.hpp"

namespace lu {
namespace {

// `more` has the topologies that only broadcasts have.
void add_topology(CLI::App& app, const char* name, std::string& topology, const std::string& more,
                  const char* help) {
  app.add_option(name, topology, help)
      ->check([more](const std::string& text) {
        const std::string letters = " IDSMHFTidsmhft123456789" + more;
        return text.size() == 1 && letters.find(text[0]) != std::string::npos
                   ? std::string()
                   : "'" + text + "' is no topology of these calls: I D S M H F T" +
                         (more.empty() ? "" : " P") + " or 1 to 9";
      })
      ->option_text("TOP");
}

void describe(CLI::App& app, Options& options) {
  app.add_option("FILE", options.file,
                 "the matrix: Matrix Market, NumPy's .npy, or .raw (random numbers)");
  app.add_option("--size", options.size, "rows of a random or raw matrix (1000)")
      ->check(CLI::Range(1, 1000000))
      ->option_text("N");
  app.add_option("--seed", options.seed, "of the random numbers (1)")->option_text("N");
  app.add_option("--block", options.block, "rows and columns of a block (64)")
      ->check(CLI::Range(1, 1000000))
      ->option_text("N");
  support::add_grid(app, options.rows, options.columns,
                    "rows and columns of the grid of processes (as square as possible)");
  add_topology(app, "--row-topology", options.topologies.row, "Pp",
               "topology of the broadcasts of panels along grid rows: I D S M H F T, 1 to 9, or P "
               "for those of the MPI that has started the job (the BLACS' own choice)");
  add_topology(app, "--column-topology", options.topologies.column, "Pp",
               "topology of the broadcasts along grid columns");
  add_topology(app, "--combine-topology", options.topologies.combine, "",
               "topology of the combines that find pivots and add");
  app.add_flag("--look-ahead", options.look_ahead,
               "factorize each panel before the rest of the update before it");
  support::add_runs(app, options.runs, "factorizations, of which the times are printed (5)");
  support::add_processes(app, options.processes);
  support::add_json(app, options.json);
}

// Options that have an effect only without a file, or without one that has a size.
void check(const CLI::App& app, const Options& options) {
  if (options.file.empty()) return;
  if (app.count("--seed") > 0) throw CLI::ExcludesError("--seed", "FILE");
  if (!options.file.ends_with(".raw") && app.count("--size") > 0)
    throw CLI::ExcludesError("--size", "a file that has its size");
}

}  // namespace

CommandLine parse(int argc, char** argv) {
  CommandLine line;
  CLI::App app(
      "Factorizes a matrix by LU with partial pivoting over the BLACS, and solves with it.",
      "tutti-lu");
  app.set_version_flag("--version", "tutti-lu " TUTTI_VERSION);
  describe(app, line.options);
  support::parse(app, argc, argv, line, [&] { check(app, line.options); });
  return line;
}

}  // namespace lu

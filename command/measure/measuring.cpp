// SPDX-License-Identifier: BSD-3-Clause
// Adds the verbs to a command line.
#include "measuring.hpp"

#include "support/command_line.hpp"
#include "support/complete.hpp"

namespace tutti::tools {

int run_measure_verbs(int argc, char** argv) {
  const auto add = [](CLI::App& app, int& code) {
#define TUTTI_MEASURE_VERB(name, about) add_##name(*app.add_subcommand(#name, about), code);
#include "verbs.def"
#undef TUTTI_MEASURE_VERB
    add_worker(*app.add_subcommand(worker_verb, "A process of tutti bench; for its own use."),
               code);
    add_complete(app);
    add_help(app);
  };
  return run_verbs("tutti-measure: measures this machine, and predicts by what was measured", add,
                   argc, argv);
}

}  // namespace tutti::tools

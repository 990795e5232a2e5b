// SPDX-License-Identifier: BSD-3-Clause
// The program tutti-measure, which `tutti` starts for the verbs that measure. Its messages name
// `tutti`, because that is the command its users know.
#include <new>

#include "base/descriptor.hpp"
#include "measuring.hpp"
#include "support/command_line.hpp"
#include "support/complete.hpp"

int main(int argc, char** argv) try {
  using namespace tutti::tools;
  tutti::base::open_missing_stdio();
  CLI::App app("tutti-measure: measures this machine, and predicts by what was measured", "tutti");
  app.require_subcommand(1);
  int code = 0;
#define TUTTI_MEASURE_VERB(name, about) add_##name(*app.add_subcommand(#name, about), code);
#include "verbs.def"
#undef TUTTI_MEASURE_VERB
  add_worker(*app.add_subcommand(worker_verb, "A process of tutti bench; for its own use."), code);
  add_complete(app);
  add_help(app);
  return run_command(app, {argv + 1, argv + argc}, code);
} catch (const std::bad_alloc&) {
  return tutti::tools::out_of_memory("tutti");
}

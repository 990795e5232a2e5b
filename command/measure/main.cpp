// SPDX-License-Identifier: BSD-3-Clause
// The program tutti-measure, which `tutti` starts for the verbs that measure. Its messages name
// `tutti`, because that is the command its users know.
#include "base/descriptor.hpp"
#include "measuring.hpp"
#include "support/command_line.hpp"
#include "support/complete.hpp"

namespace {

void add_verbs(CLI::App& app, int& code) {
  using namespace tutti::tools;
#define TUTTI_MEASURE_VERB(name, about) add_##name(*app.add_subcommand(#name, about), code);
#include "verbs.def"
#undef TUTTI_MEASURE_VERB
  add_worker(*app.add_subcommand(worker_verb, "A process of tutti bench; for its own use."), code);
  add_complete(app);
  add_help(app);
}

}  // namespace

int main(int argc, char** argv) {
  tutti::base::open_missing_stdio();
  return tutti::tools::run_verbs(
      "tutti-measure: measures this machine, and predicts by what was measured", add_verbs, argc,
      argv);
}

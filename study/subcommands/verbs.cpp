// SPDX-License-Identifier: BSD-3-Clause
// Adds the verbs to a command line.
#include "verbs.hpp"

#include "support/child.hpp"
#include "support/command_line.hpp"
#include "support/complete.hpp"
#include "timekeeper/timekeeper.hpp"

namespace tutti::tools {

int run_study_verbs(int argc, char** argv) {
  const auto add = [](CLI::App& app, int& code) {
#define TUTTI_STUDY_VERB(name, about) add_##name(*app.add_subcommand(#name, about), code);
#include "verbs.def"
#undef TUTTI_STUDY_VERB
    add_timekeeper(*app.add_subcommand(timekeeper_verb), code);
    add_complete(app);
    add_help(app);
  };
  return run_verbs("tutti-study: what schedules do, without a job", add, argc, argv);
}

}  // namespace tutti::tools

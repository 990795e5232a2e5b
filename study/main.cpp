// SPDX-License-Identifier: BSD-3-Clause
// The program tutti-study, which `tutti` starts for the verbs that study schedules. Its messages
// name `tutti`, because that is the command its users know.
#include <new>

#include "base/descriptor.hpp"
#include "support/command_line.hpp"
#include "support/complete.hpp"
#include "verbs.hpp"

int main(int argc, char** argv) try {
  using namespace tutti::tools;
  tutti::base::open_missing_stdio();
  CLI::App app("tutti-study: what schedules do, without a job", "tutti");
  app.require_subcommand(1);
  int code = 0;
#define TUTTI_STUDY_VERB(name, about) add_##name(*app.add_subcommand(#name, about), code);
#include "verbs.def"
#undef TUTTI_STUDY_VERB
  add_complete(app);
  add_help(app);
  return run_command(app, {argv + 1, argv + argc}, code);
} catch (const std::bad_alloc&) {
  return tutti::tools::out_of_memory("tutti");
}

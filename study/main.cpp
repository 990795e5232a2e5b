// SPDX-License-Identifier: BSD-3-Clause
// The program tutti-study, which `tutti` starts for the verbs that study schedules. Its messages
// name `tutti`, because that is the command its users know.
#include "base/descriptor.hpp"
#include "support/command_line.hpp"
#include "support/complete.hpp"
#include "verbs.hpp"

namespace {

void add_verbs(CLI::App& app, int& code) {
  using namespace tutti::tools;
#define TUTTI_STUDY_VERB(name, about) add_##name(*app.add_subcommand(#name, about), code);
#include "verbs.def"
#undef TUTTI_STUDY_VERB
  add_complete(app);
  add_help(app);
}

}  // namespace

int main(int argc, char** argv) {
  tutti::base::open_missing_stdio();
  return tutti::tools::run_verbs("tutti-study: what schedules do, without a job", add_verbs, argc,
                                 argv);
}

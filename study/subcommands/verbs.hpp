// SPDX-License-Identifier: BSD-3-Clause
// The verbs of tutti-study. Each function adds the options of one to its part of the command line;
// the verb that runs stores its exit code in `code`.
#pragma once

#include <CLI/CLI.hpp>

namespace tutti::tools {

#define TUTTI_STUDY_VERB(name, about) void add_##name(CLI::App& verb, int& code);
#include "verbs.def"
#undef TUTTI_STUDY_VERB

// Runs the verb of the command line. Returns the exit code.
[[nodiscard]] int run_study_verbs(int argc, char** argv);

}  // namespace tutti::tools

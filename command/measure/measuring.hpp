// SPDX-License-Identifier: BSD-3-Clause
// The verbs of tutti-measure. Each function adds the options of one to its part of the command
// line; the verb that runs stores its exit code in `code`.
#pragma once

#include <CLI/CLI.hpp>

namespace tutti::tools {

#define TUTTI_MEASURE_VERB(name, about) void add_##name(CLI::App& verb, int& code);
#include "verbs.def"
#undef TUTTI_MEASURE_VERB

// The verb `bench-worker`, a process of `tutti bench`. No help lists it.
constexpr const char* worker_verb = "bench-worker";
void add_worker(CLI::App& verb, int& code);

// Runs the verb of the command line. Returns the exit code.
[[nodiscard]] int run_measure_verbs(int argc, char** argv);

}  // namespace tutti::tools

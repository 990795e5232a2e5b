// SPDX-License-Identifier: BSD-3-Clause
// The timekeeper of a job: a process that `tutti run --machine` starts beside the ranks. It
// simulates what they do, answers their questions, and reports when they have ended.
#pragma once

#include <CLI/CLI.hpp>

namespace tutti::tools {

void add_timekeeper(CLI::App& verb, int& code);

}  // namespace tutti::tools

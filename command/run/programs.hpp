// SPDX-License-Identifier: BSD-3-Clause
// Reads the programs of a job from the command line: `-n 2 -x A=1 first x : -n 3 second y`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "launch/program.hpp"

namespace tutti::tools {

// Options that belong to one program. All other options belong to the job and come before the first
// program.
struct ProgramOptions {
  int ranks = 0;
  std::vector<std::string> variables;  // values of -x
  std::string folder;
};

void add_program_options(CLI::App& command, ProgramOptions& options);

// Returns how many words at the front of `words` are options of `command`; the next word is a
// program. Rewrites mpirun's options with one dash, such as -np, as tutti's.
[[nodiscard]] std::size_t take_options(const CLI::App& command, std::vector<std::string>& words);

// `tail` has the first program, its arguments, and what follows a ':'. Throws
// base::Error(invalid_argument).
[[nodiscard]] std::vector<launch::LaunchedProgram> programs_of(const ProgramOptions& first,
                                                               std::vector<std::string> tail);

}  // namespace tutti::tools

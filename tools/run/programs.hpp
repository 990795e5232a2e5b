// SPDX-License-Identifier: BSD-3-Clause
// The programs of a job as the command line gives them: `-n 2 -x A=1 first x : -n 3 second y`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "launch/program.hpp"

namespace tutti::tools {

// Options that belong to one program. All others are the job's and stand in front of the first.
struct ProgramOptions {
  int ranks = 0;
  std::vector<std::string> variables;  // as -x has them
  std::string folder;
};

void add_program_options(CLI::App& command, ProgramOptions& options);

// How many words at the front of `words` are options of `command`; what follows is a program.
// Writes the options of mpirun that have one dash, such as -np, as ours.
[[nodiscard]] std::size_t take_options(const CLI::App& command, std::vector<std::string>& words);

// `tail`: the first program, its arguments, and what follows a ':'. Throws
// base::Error(invalid_argument).
[[nodiscard]] std::vector<launch::LaunchedProgram> programs_of(const ProgramOptions& first,
                                                               std::vector<std::string> tail);

}  // namespace tutti::tools

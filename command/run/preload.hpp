// SPDX-License-Identifier: BSD-3-Clause
// Runs programs that were linked with another BLACS, BSPlib or PVM on tutti's, whose library is
// loaded before theirs.
#pragma once

#include <string>
#include <vector>

#include "launch/program.hpp"
#include "run/links.hpp"
#include "run/mpi.hpp"

namespace tutti::tools {

// Returns the names of the interfaces that can be preloaded, as the command line writes them.
[[nodiscard]] std::vector<std::string> preloadable();

// Starter of the ranks; `any` is an MPI's launcher if its variables are set.
enum class Launcher { tutti, any };

// Returns the library of the interface, for a program that was not linked with it. Throws
// base::Error if the program would still use functions of its own, or could not be preloaded at
// all. If the effect cannot be seen in advance, says so on stderr after the name of the command.
[[nodiscard]] LoadedFirst preload(const std::string& command, const std::string& interface,
                                  const launch::LaunchedProgram& program, Launcher launcher);

// Returns the library that takes over the collectives of the program's MPI. `found` becomes that
// MPI. Throws base::Error as above, and if the MPI is not known.
[[nodiscard]] LoadedFirst preload_for_mpi(const launch::LaunchedProgram& program, FoundMpi& found);

// Replaces this process by the program, with libraries loaded before its own. Returns the exit code
// if that fails, after a line that begins with the name of the command.
[[nodiscard]] int become_program(const std::string& command, std::vector<std::string> words,
                                 const LoadedFirst& first);

// Puts tutti's libraries before all others in the programs of a job, and preloads the interface if
// one is given. Without an interface, programs whose folder of links is missing keep their own run
// path.
void give_libraries(std::vector<launch::LaunchedProgram>& programs, const std::string& interface);

}  // namespace tutti::tools

// SPDX-License-Identifier: BSD-3-Clause
// Programs that were linked with another BLACS, BSPlib or PVM run on tutti's: its library is loaded
// before theirs.
#pragma once

#include <string>
#include <vector>

#include "launch/program.hpp"
#include "run/links.hpp"

namespace tutti::tools {

// The interfaces that can be preloaded, as the command line names them.
[[nodiscard]] std::vector<std::string> preloadable();

enum class Launcher { tutti, any };  // who starts the ranks; any: MPI's if its variables are there

// The library of the interface, for a program that was not linked with it. Throws base::Error when
// that program would go on using functions of its own, or could not be preloaded at all; says on
// stderr, after the name of the command, when nothing can be seen of what would come of it.
[[nodiscard]] LoadedFirst preload(const std::string& command, const std::string& interface,
                                  const launch::LaunchedProgram& program, Launcher launcher);

// The programs of a job find tutti's libraries before any others, and have the interface preloaded
// if there is one. Where the links to the libraries are missing and nothing is to be preloaded,
// they are left to their run path.
void give_libraries(std::vector<launch::LaunchedProgram>& programs, const std::string& interface);

}  // namespace tutti::tools

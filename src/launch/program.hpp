// SPDX-License-Identifier: BSD-3-Clause
// The programs that the ranks of a job run. Each of several programs serves consecutive ranks. The
// command line fills them in; the supervisor starts them.
#pragma once

#include <string>
#include <vector>

namespace tutti::launch {

// The folder and the variables with which a process starts. Tasks inherit the setting of the rank
// that asked for them.
struct Setting {
  std::string folder;  // empty: the folder of the supervisor
  // Entries "NAME=VALUE" that are added to the supervisor's variables or replace them. The last one
  // counts.
  std::vector<std::string> environment;
};

struct LaunchedProgram {
  // Looked up in the supervisor's PATH if it has no slash, otherwise in the folder.
  std::string executable;
  std::vector<std::string> arguments;  // argv, program name included
  int ranks = 0;                       // number of ranks that run it
  Setting setting;
};

}  // namespace tutti::launch

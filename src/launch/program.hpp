// SPDX-License-Identifier: BSD-3-Clause
// What the ranks of a job run. A job may have several programs; each serves some ranks in a row.
#pragma once

#include <string>
#include <vector>

namespace tutti::launch {

// Where a process starts and with which variables. Tasks inherit the setting of the rank that asked
// for them.
struct Setting {
  std::string folder;                    // empty: that of the supervisor
  std::vector<std::string> environment;  // "NAME=VALUE", beside or instead of what the supervisor
                                         // has; the last one counts
};

struct LaunchedProgram {
  std::string
      executable;  // looked up in the supervisor's PATH when it has no slash, else in the folder
  std::vector<std::string> arguments;  // argv, program name included
  int ranks = 0;                       // how many ranks run it
  Setting setting;
};

}  // namespace tutti::launch

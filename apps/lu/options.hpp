// SPDX-License-Identifier: BSD-3-Clause
// The command line of tutti-lu.
#pragma once

#include <optional>
#include <string>

#include "command_line.hpp"
#include "grid.hpp"

namespace lu {

struct Options {
  std::string file;  // empty: random numbers
  int size = 1000;
  int block = 64;
  int rows = 0, columns = 0;  // of the grid; 0: as square as possible
  Topologies topologies;
  bool look_ahead = false;
  int runs = 5;
  long seed = 1;
  int processes = 1;  // of a program that no launcher has started
  bool json = false;
};

using CommandLine = support::CommandLine<Options>;
CommandLine parse(int argc, char** argv);

}  // namespace lu

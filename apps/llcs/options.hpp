// SPDX-License-Identifier: BSD-3-Clause
// The command line of tutti-llcs.
#pragma once

#include <optional>
#include <string>

#include "command_line.hpp"
#include "text.hpp"
#include "wavefront.hpp"

namespace llcs {

struct Options {
  std::string first, second;             // files
  std::optional<Characters> characters;  // else by the files' names
  bool standard = false;                 // the standard algorithm, not the bit-parallel one
  std::string kernel = "auto";
  int alpha = 0;          // 0: chosen
  std::string machine;    // for the choice; empty: this host
  std::size_t cache = 0;  // bytes for (5.4); 0: those of the first-level cache
  Supersteps supersteps = Supersteps::per_diagonal;
  std::optional<std::string> subsequence;  // file, or - for stdout
  std::string predict;                     // a file for the supersteps, instead of a result
  int processes = 1;                       // of a program started by hand
  bool json = false;
};

using CommandLine = support::CommandLine<Options>;
CommandLine parse(int argc, char** argv);

}  // namespace llcs

// SPDX-License-Identifier: BSD-3-Clause
// The content of a command line: options, or a text to print instead of doing anything.
#pragma once

#include <cstdio>
#include <optional>
#include <string>

namespace support {

template <class Options>
struct CommandLine {
  Options options;
  std::optional<int> exit_code;  // set if the program has nothing to do
  std::string text;              // what it prints then

  // Prints the text: help to stdout, and what is wrong to stderr.
  void print_text() const { std::fputs(text.c_str(), *exit_code == 0 ? stdout : stderr); }
};

}  // namespace support

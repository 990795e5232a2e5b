// SPDX-License-Identifier: BSD-3-Clause
// Shows on a terminal how much of a long command is done. Prints nothing if the output is no
// terminal.
#pragma once

#include <chrono>
#include <string>

namespace tutti::tools {

// Writes text over the present line of the terminal at stderr.
void rewrite_line(const std::string& text);

class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Shows that the part `done`, 0 to 1, is complete. Draws at most ten times a second.
  void show(double done, const std::string& what);

 private:
  bool terminal_;
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace tutti::tools

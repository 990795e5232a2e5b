// SPDX-License-Identifier: BSD-3-Clause
// A line on a terminal that says how far a long command has come; nothing elsewhere.
#pragma once

#include <chrono>
#include <string>

namespace tutti::tools {

class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `done` from 0 to 1. Drawn at most ten times a second.
  void show(double done, const std::string& what);

 private:
  bool terminal_;
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace tutti::tools

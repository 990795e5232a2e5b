// SPDX-License-Identifier: BSD-3-Clause
// Puts the parts of processes that were killed into the file of their job.
#pragma once

#include <string>
#include <vector>

namespace tutti::trace {

struct Collected {
  int parts = 0;                  // put into the file
  std::vector<std::string> left;  // parts that stay, each with the reason
};

// Does nothing if there is no such file.
Collected collect(const std::string& path);

}  // namespace tutti::trace

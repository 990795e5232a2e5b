// SPDX-License-Identifier: BSD-3-Clause
// Tells whether a process was killed because memory had run out. The kernel then sends SIGKILL, as
// anybody else may, but also counts it in the control group of the process.
#pragma once

#include <string>

#include "launch/outcome.hpp"

namespace tutti::launch {

class MemoryKills {
 public:
  // Reads the count of this process's own group, in which its job runs, too.
  MemoryKills();

  // Returns words to write behind the ending; none if it was another one, or if each kill that the
  // kernel has counted in the group since the constructor ran explains an earlier ending. Ask once
  // for an ending.
  [[nodiscard]] std::string reason_of(const Ending& ending);

 private:
  std::string folder_, file_;  // empty where no group counts
  double before_ = 0;
  double explained_ = 0;  // endings for which there were words
};

}  // namespace tutti::launch

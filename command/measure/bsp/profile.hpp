// SPDX-License-Identifier: BSD-3-Clause
// Reads the files that TUTTI_BSP_PROFILE makes BSP programs write, and reports on them for a
// browser.
#pragma once

#include <string>
#include <vector>

#include "bsp_model/model.hpp"

namespace tutti::tools {

// A superstep of a profile: its cost, and facts that only the report shows.
struct ProfiledStep {
  Superstep cost;
  double compute_mean = 0;  // seconds, mean of all processes
  double words_out = 0, words_in = 0;
  double sync = 0;  // seconds of the shortest bsp_sync, which is that of the last process to arrive
  std::string site;
  std::string path;  // functions through which bsp_sync was called, such as "main;solve;pivot"

  // Returns how long a process waits on average for the slowest process, in seconds.
  [[nodiscard]] double wait() const { return cost.compute - compute_mean; }
};

// Throws base::Error if the file cannot be read or is no profile.
[[nodiscard]] std::vector<ProfiledStep> read_profile(const std::string& file);

// Returns one self-contained HTML page: supersteps drawn and listed, call sites, and the prediction
// for `machine` beside the measured times. `subject` says what is shown.
[[nodiscard]] std::string profile_page(const std::vector<ProfiledStep>& steps,
                                       const BspMachine& machine, const std::string& title,
                                       const std::string& subject);

}  // namespace tutti::tools

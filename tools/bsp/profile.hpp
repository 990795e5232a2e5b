// SPDX-License-Identifier: BSD-3-Clause
// What TUTTI_BSP_PROFILE wrote, and a report of it for a browser.
#pragma once

#include <string>
#include <vector>

#include "bsp/model.hpp"

namespace tutti::tools {

// A superstep with what only a reader wants to know.
struct ProfiledStep {
  Superstep cost;
  double compute_mean = 0;  // seconds, of all processes
  double words_out = 0, words_in = 0;
  double sync = 0;  // seconds of the shortest bsp_sync: that of the last to arrive
  std::string site;
  std::string path;  // "main;solve;pivot": the functions through which bsp_sync was called

  // How long a process waits for the slowest, in the mean.
  [[nodiscard]] double wait() const { return cost.compute - compute_mean; }
};

// Throws base::Error when the file cannot be read or is none.
[[nodiscard]] std::vector<ProfiledStep> read_profile(const std::string& file);

// One HTML page that needs nothing else: supersteps drawn and listed, call sites, and the
// prediction for `machine` beside what was measured. `subject` says what is shown.
[[nodiscard]] std::string profile_page(const std::vector<ProfiledStep>& steps,
                                       const BspMachine& machine, const std::string& title,
                                       const std::string& subject);

}  // namespace tutti::tools

// SPDX-License-Identifier: BSD-3-Clause
// Measures the time of a message between two hosts, in a job that an MPI has started on them, and
// writes it into a profile.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tune/fit.hpp"

namespace tutti::tools {

struct HostPoint {
  std::int64_t bytes = 0;
  double us = 0;  // time of one message, median
  int samples = 0;
};

struct HostCosts {
  std::vector<HostPoint> points;
  Fit fit;  // only its alpha and beta are used
};

// Sends messages back and forth between rank 0 and the first rank of another host. All ranks of the
// job must call it; rank 0 gets the result. Throws base::Error(invalid_argument) if there is only
// one host.
[[nodiscard]] std::optional<HostCosts> measure_between_hosts(
    double seconds, const std::function<void(double)>& progress);

// Returns the table [hosts] of a profile as text.
[[nodiscard]] std::string hosts_text(const HostCosts& costs, const std::string& date);

}  // namespace tutti::tools

// SPDX-License-Identifier: BSD-3-Clause
// What a message between two hosts takes, measured by a job that MPI has started on them, and where
// a profile says it.
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
  double us = 0;  // one message, median
  int samples = 0;
};

struct HostCosts {
  std::vector<HostPoint> points;
  Fit fit;  // alpha and beta
};

// Messages there and back between rank 0 and the first rank of another host. Collective over the
// job; rank 0 gets the result. Throws base::Error(invalid_argument) where there is one host only.
[[nodiscard]] std::optional<HostCosts> measure_between_hosts(
    double seconds, const std::function<void(double)>& progress);

// The table [hosts] of a profile.
[[nodiscard]] std::string hosts_text(const HostCosts& costs, const std::string& date);
// A profile's text in two: the table [hosts] with what stands right above and in it, if there is
// one, and the rest.
struct HostsApart {
  std::string hosts, rest;
};
[[nodiscard]] HostsApart hosts_apart(const std::string& profile);

}  // namespace tutti::tools

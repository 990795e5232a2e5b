// SPDX-License-Identifier: BSD-3-Clause
// How a started process finds its job: two inherited descriptors and its rank, in one environment
// variable.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tutti::launch {

struct JobDescriptor {
  int segment = -1;     // descriptor of the shared segment
  int supervisor = -1;  // descriptor of the socket to the supervisor
  int rank = -1;
  // Whether another launcher had started tutti run. If so, that launcher's variables do not show
  // that a rank of this job has started one.
  bool launched_before = true;

  // From TUTTI_JOB; nullopt when it is not set. Throws Error(bad_environment) when it is not
  // understood.
  [[nodiscard]] static std::optional<JobDescriptor> from_environment();
  [[nodiscard]] static std::optional<JobDescriptor> parse(std::string_view text);
};

[[nodiscard]] const char* job_variable();

}  // namespace tutti::launch

// SPDX-License-Identifier: BSD-3-Clause
// The job descriptor tells a started process where its job is: two inherited descriptors and its
// rank, in the environment variable TUTTI_JOB. The supervisor sets it; Membership reads it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tutti::launch {

struct JobDescriptor {
  int segment = -1;     // descriptor of the shared segment
  int supervisor = -1;  // descriptor of the socket to the supervisor
  int rank = -1;
  // True if another launcher had started tutti run. If so, that launcher's variables do not show
  // that a rank of this job has started a launcher.
  bool launched_before = true;

  // Reads TUTTI_JOB; nullopt if it is not set. Throws Error(bad_environment) if its text is wrong.
  [[nodiscard]] static std::optional<JobDescriptor> from_environment();
  [[nodiscard]] static std::optional<JobDescriptor> parse(std::string_view text);
};

[[nodiscard]] const char* job_variable();

}  // namespace tutti::launch

// SPDX-License-Identifier: BSD-3-Clause
// The job descriptor tells a process where its job is: two descriptors and its rank. A started
// process inherits the two and finds their numbers in the environment variable TUTTI_JOB, which the
// supervisor sets. A process that nobody has started for the job asks at the job socket, a
// rendezvous; it is then supervised like any other. Membership uses both.
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
  // Asks to join the job at this job socket as `program`. Returns nullopt if there is no such job,
  // or if others than this user can enter the folder. Throws Error if the job refuses.
  [[nodiscard]] static std::optional<JobDescriptor> request(std::string_view job_socket,
                                                            std::string_view program);
  // Throws Error(bad_environment) if the two descriptors were not inherited. They close on exec
  // from now on.
  void require_inherited() const;
};

[[nodiscard]] const char* job_variable();

}  // namespace tutti::launch

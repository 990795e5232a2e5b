// SPDX-License-Identifier: BSD-3-Clause
// Refuses processes that another launcher has started, where one job of several processes would
// silently become several jobs of one. Membership asks when a process joins.
#pragma once

#include <optional>
#include <string>

#include "launch/job_descriptor.hpp"

namespace tutti::launch {

// Throws Error(bad_environment) if a launcher whose jobs tutti cannot join has started this process
// as one of several, or if one says which rank this process is but not of how many. The message
// says how to start the program. With TUTTI_TRANSPORT=shm each process is meant to be alone, and
// nothing is thrown.
void refuse_other_launcher();

// Throws Error(bad_environment) if a rank of tutti run has started another launcher. That
// launcher's processes inherit the rank's job descriptor, but have numbers of their own. The
// message says which of the two to use.
void refuse_launcher_within(const JobDescriptor& job_descriptor);

// Throws Error(bad_environment) if this process, one of `ranks` of tutti run, has begun an MPI that
// took it for a job of its own. The message says how to start the program.
void refuse_mpi_alone(const JobDescriptor& job_descriptor, int ranks);

// Asks MPICH's launcher, if it has started this process, to end the job with this exit code. A
// process that ends before MPI_Init leaves the others waiting in that call, and that launcher does
// not end them by itself. Without memory nothing is asked.
void end_job_of_mpich(int exit_code) noexcept;

// Returns a note if a launcher has started `tutti run` as the first of several processes, each of
// which starts a job of its own. A study of many small jobs means that, and says so with
// TUTTI_TRANSPORT=shm; everybody else means one job.
[[nodiscard]] std::optional<std::string> note_on_several_jobs();

}  // namespace tutti::launch

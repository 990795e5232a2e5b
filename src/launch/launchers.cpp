// SPDX-License-Identifier: BSD-3-Clause
// Writes the messages about launchers that do not fit together.
#include "launch/launchers.hpp"

#include <string>

#include "base/advice.hpp"
#include "base/environment.hpp"
#include "base/error.hpp"

namespace tutti::launch {
void refuse_other_launcher() {
  const auto launcher = base::other_launcher();
  if (!launcher || base::text(base::Variable::transport) == "shm") return;
  base::fail(base::Status::bad_environment,
             "{} has started this process as one of {}, and tutti cannot join the jobs of {}: "
             "start the program with {} (TUTTI_TRANSPORT=shm makes each process a job of its own)",
             launcher->name, launcher->size, launcher->name,
             base::run_line("tutti run", launcher->size));
}

void refuse_launcher_within(const JobDescriptor& job_descriptor) {
  if (job_descriptor.launched_before) return;
  const auto mpi = base::mpi_launcher();
  const auto other = base::other_launcher();
  if (!mpi && !other) return;
  const int size = mpi ? mpi->size : other->size;
  base::fail(
      base::Status::bad_environment,
      "{} was started inside tutti run, but only one of the two can start the processes: use {}{}",
      mpi ? "mpirun" : other->name, mpi ? base::run_line("mpirun", size) + " or " : "",
      base::run_line("tutti run", size));
}

}  // namespace tutti::launch

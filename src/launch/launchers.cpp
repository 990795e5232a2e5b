// SPDX-License-Identifier: BSD-3-Clause
// Writes the messages about launchers that do not fit together.
#include "launch/launchers.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <new>

#include "base/advice.hpp"
#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/launcher_line.hpp"
#include "launch/output.hpp"

namespace tutti::launch {
namespace {

// The launcher that has started several processes; nullopt if none has. Slurm sets the variables of
// an MPI in single processes, too, so there only what says srun counts.
std::optional<base::OtherLauncher> launcher_of_several() {
  if (const auto other = base::other_launcher()) return other;
  const auto mpi = base::mpi_launcher();
  if (!mpi || mpi->flavour.empty() || mpi->size <= 1) return std::nullopt;
  return base::OtherLauncher{"mpirun", mpi->size, base::mpi_launcher_rank().value_or(0)};
}

// A job of unknown size cannot be joined, and each process would be a job of one.
void refuse_rank_without_size() {
  const auto rank = base::mpi_launcher_rank();
  if (!rank || base::mpi_launcher()) return;
  base::fail(base::Status::bad_environment,
             "the environment says that an MPI has started this process as rank {}, but not as one "
             "of how many: PMI_SIZE or OMPI_COMM_WORLD_SIZE is missing or no number "
             "(TUTTI_TRANSPORT=shm makes the process a job of its own)",
             *rank);
}

}  // namespace

void refuse_other_launcher() {
  if (base::text(base::Variable::transport) == "shm") return;
  refuse_rank_without_size();
  const auto launcher = base::other_launcher();
  if (!launcher) return;
  base::fail(base::Status::bad_environment,
             "{} has started this process as one of {}, and tutti cannot join the jobs of {}: "
             "start the program with {} (TUTTI_TRANSPORT=shm makes each process a job of its own)",
             launcher->name, launcher->size, launcher->name,
             base::run_line("tutti run", launcher->size));
}

void refuse_launcher_within(const JobDescriptor& job_descriptor) {
  if (job_descriptor.launched_before) return;
  const auto mpi = base::mpi_launcher_at_start() ? base::mpi_launcher() : std::nullopt;
  const auto other = base::other_launcher();
  if (!mpi && !other) return;
  const int size = mpi ? mpi->size : other->size;
  base::fail(
      base::Status::bad_environment,
      "{} was started inside tutti run, but only one of the two can start the processes: use {}{}",
      mpi ? "mpirun" : other->name, mpi ? base::run_line("mpirun", size) + " or " : "",
      base::run_line("tutti run", size));
}

// Open MPI sets the variables of its launcher itself where a program that no launcher has started
// calls MPI_Init.
void refuse_mpi_alone(const JobDescriptor& job_descriptor, int ranks) {
  if (job_descriptor.launched_before || !base::mpi_launcher() || base::mpi_launcher_at_start())
    return;
  const bool preloaded = base::preloaded().find("libtutti-blacs") != std::string::npos;
  base::fail(base::Status::bad_environment,
             "this program calls MPI_Init itself, and in the MPI each process of tutti run is "
             "alone, because only the launcher of the MPI makes them one job: use {}",
             base::run_line("mpirun", ranks, preloaded ? " tutti preload blacs" : ""));
}

void end_job_of_mpich(int exit_code) noexcept try {
  const auto line = base::launcher_line();
  if (!line) return;
  wait_until_read(STDERR_FILENO);
  const std::string wish = fmt::format("cmd=abort exitcode={}\n", exit_code);
  // Failure is harmless: the launcher has ended, or is one that hears nothing.
  (void)::send(*line, wish.data(), wish.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
} catch (const std::bad_alloc&) {
  return;
}

std::optional<std::string> note_on_several_jobs() {
  const auto launcher = launcher_of_several();
  if (!launcher || launcher->rank != 0 || base::text(base::Variable::job) ||
      base::text(base::Variable::transport) == "shm") {
    return std::nullopt;
  }
  return fmt::format(
      "{} has started this command {} times, and each starts a job of its own: for one job leave "
      "out {}{} (TUTTI_TRANSPORT=shm says that several jobs are meant)",
      launcher->name, launcher->size, base::mpi_launcher() ? "tutti run or " : "", launcher->name);
}

}  // namespace tutti::launch

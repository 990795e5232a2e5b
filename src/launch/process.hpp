// SPDX-License-Identifier: BSD-3-Clause
// Starts one process as a rank, and finds out how any process ended, whether it is a child or not.
// The supervisor and the failure monitor use it.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <csignal>
#include <cstdint>
#include <string>
#include <vector>

#include "launch/descriptor.hpp"
#include "launch/outcome.hpp"
#include "launch/program.hpp"
#include "launch/signals.hpp"

namespace tutti::launch {

struct StartRequest {
  const std::string* executable;  // looked up in PATH if it has no slash
  const std::vector<std::string>* arguments;
  const Setting* setting;
  int world_rank;  // value of TUTTI_RANK, which scripts read
  int world_size;  // value of TUTTI_SIZE
  int rank;        // the endpoint's id
  int segment;
  int supervisor;                      // the rank's end of its control socket
  int output = -1;                     // becomes stdout; -1: as inherited
  int error = -1;                      // becomes stderr; -1: as inherited
  bool keep_stdin = false;             // false: stdin is /dev/null
  const std::vector<int>* processors;  // processors to bind to; empty or nullptr: as inherited
  const SignalSettings* signals;       // signal settings that the launcher was started with
  rlimit descriptors;                  // descriptor limit that the launcher was started with
  bool below_mpi = false;  // this process has descriptors and variables that are MPI's own
};

enum class StartStep : int { fork, descriptors, binding, folder, program };

struct StartResult {
  pid_t pid = -1;
  int error = 0;  // errno of the step that failed; there is then no process
  StartStep failed = StartStep::fork;
};

[[nodiscard]] StartResult start_process(const StartRequest& request);
// Returns the words as calls of exec take them. They must live as long as the result.
[[nodiscard]] std::vector<char*> pointers_to(std::vector<std::string>& words);
// Called by a new process, which the kernel then kills, or sends another signal, when its parent
// ends.
void end_with_parent(pid_t parent, int signal = SIGKILL);

// Returns an invalid descriptor if there is no such process (errno is ESRCH), or if the system
// refuses pidfds, as Linux before 5.3 and some sandboxes do.
[[nodiscard]] Descriptor open_pidfd(pid_t pid);
// Returns the pidfd of the process that made the other end of a socket and still holds it. The
// process need not tell its pid, which may be another number in its pid namespace than in ours.
// Otherwise returns an invalid descriptor. errno is ESRCH if the process has let go of its end, and
// EINVAL if it has no pid in our namespace.
[[nodiscard]] Descriptor pidfd_of_peer(const Descriptor& socket);

// Sends a signal to the process of a pidfd, whose pid serves where the system refuses that. Nothing
// happens if the process has ended.
void send_signal(int pidfd, pid_t pid, int signal);

// Returns what waitid() has told of the end of a process.
[[nodiscard]] Ending ending_of(const siginfo_t& info);

// Returns how a process ended, after its pidfd has become readable. Asks, in this order, what the
// kernel tells a parent, what newer kernels tell every owner of a pidfd, what /proc shows of a
// zombie, and the note that the process left in its endpoint.
[[nodiscard]] Ending ending_of(int pidfd, pid_t pid, std::uint32_t exit_note);

// Returns how a process has ended that nobody has waited for yet, and leaves it waiting; `running`
// if it has not ended. The pidfd is -1 for a child.
[[nodiscard]] Ending peek_ending(int pidfd, pid_t pid);

// Returns true if the process has begun to end, or is gone.
[[nodiscard]] bool is_ending(pid_t pid);

// Raises the limit on descriptors to the allowed maximum. Returns the earlier limit.
rlimit raise_descriptor_limit();

}  // namespace tutti::launch

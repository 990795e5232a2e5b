// SPDX-License-Identifier: BSD-3-Clause
// Starts the supervisor as a forked child that never executes another program, so it needs no
// installed tool. It keeps only stderr of the user's, because a reader of the program's stdout must
// see its end when the job has ended.
#include "launch/self_supervised.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>

#include "base/error.hpp"
#include "launch/process.hpp"
#include "launch/supervisor.hpp"

namespace tutti::launch {
namespace {

LaunchedProgram this_program() {
  LaunchedProgram program;
  std::array<char, PATH_MAX> path{};
  const auto length = ::readlink("/proc/self/exe", path.data(), path.size());
  if (length > 0) program.executable.assign(path.data(), static_cast<std::size_t>(length));
  // If the file was replaced meanwhile, the program can still be run under this name.
  if (::access(program.executable.c_str(), X_OK) != 0) program.executable = "/proc/self/exe";
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  for (std::string argument; std::getline(file, argument, '\0');)
    program.arguments.push_back(argument);
  if (program.arguments.empty()) program.arguments.push_back(program.executable);
  return program;
}

void close_all_but(std::vector<int> kept) {
  std::sort(kept.begin(), kept.end());
  unsigned first = 3;
  for (const int number : kept) {
    const auto keep = static_cast<unsigned>(number);
    if (keep > first) ::syscall(SYS_close_range, first, keep - 1, 0);
    first = std::max(first, keep + 1);
  }
  ::syscall(SYS_close_range, first, ~0U, 0);
}

void let_go_of_stdio() {
  const Descriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  ::dup2(nothing.get(), STDIN_FILENO);
  ::dup2(nothing.get(), STDOUT_FILENO);
}

struct RootProcess {
  pid_t pid;
  Descriptor pidfd;
  Descriptor control;
};

// Runs the supervisor in the forked process. It ends by _exit, because buffers and destructors
// belong to the user's process.
[[noreturn]] void be_supervisor(transport::shm::Mapping& mapping, RootProcess root,
                                SupervisorOptions options, JobSocket* job_socket) {
  try {
    drop_handlers();
    ::prctl(PR_SET_NAME, "tutti-supervise");
    std::vector<int> kept{mapping.descriptor(), root.pidfd.get(), root.control.get()};
    if (job_socket != nullptr) kept.insert(kept.end(), {job_socket->socket(), job_socket->lock()});
    close_all_but(std::move(kept));
    Supervisor supervisor(mapping, std::move(options));
    supervisor.watch_root_process(0, root.pid, std::move(root.pidfd), std::move(root.control));
    supervisor.start(1);
    let_go_of_stdio();
    static_cast<void>(supervisor.run());
    if (job_socket != nullptr) job_socket->remove();
    ::_exit(0);
  } catch (const std::exception& error) {
    write_all(STDERR_FILENO, fmt::format("tutti: {}\n", error.what()));
    ::_exit(1);
  }
}

}  // namespace

Descriptor start_self_supervision(transport::shm::Mapping& mapping, OperationName operation_name,
                                  JobSocket* job_socket) {
  DescriptorPair control = socket_pair(SOCK_SEQPACKET);
  LaunchedProgram program = this_program();
  RootProcess root{::getpid(), open_pidfd(::getpid()), std::move(control.second)};
  if (!root.pidfd.valid()) {
    base::fail(base::Status::system_error,
               "this program cannot start processes itself, because the system refuses pidfd_open "
               "({}), which needs Linux 5.3 and a sandbox that allows it: start it by tutti run",
               std::strerror(errno));
  }
  SupervisorOptions options;
  options.name = "tutti";
  program.ranks = static_cast<int>(mapping.header().world_size);
  options.programs.push_back(std::move(program));
  options.operation_name = operation_name;
  if (job_socket != nullptr) options.job_socket = job_socket->socket();
  const pid_t pid = ::fork();
  if (pid < 0) base::fail_errno("starting the supervisor");
  if (pid == 0) be_supervisor(mapping, std::move(root), std::move(options), job_socket);
  return std::move(control.first);
}

SelfStartedWorld start_self_supervision(int n, transport::shm::DeathPolicy policy,
                                        OperationName operation_name) {
  require_room(n);
  auto mapping = transport::shm::Mapping::create(
      {.world_size = static_cast<std::uint32_t>(n), .policy = policy, .limit_bytes = {}});
  Descriptor control = start_self_supervision(mapping, operation_name);
  return {std::move(mapping), std::move(control)};
}

}  // namespace tutti::launch

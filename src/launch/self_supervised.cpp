// SPDX-License-Identifier: BSD-3-Clause
// Starts the supervisor as a process that executes no program of tutti's, so it needs no installed
// tool. It keeps only stderr of the user's, because a reader of the program's stdout must see its
// end when the job has ended.
#include "launch/self_supervised.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/input_file.hpp"
#include "launch/output.hpp"
#include "launch/process.hpp"
#include "launch/supervisor.hpp"
#include "launch/supervisor_start.hpp"

namespace tutti::launch {
namespace {

// Fills in the program that this process runs.
void name_this_program(SupervisorStart& given) {
  std::array<char, PATH_MAX> path{};
  const auto length = ::readlink("/proc/self/exe", path.data(), path.size());
  if (length < 0) {
    if (errno != ENOENT) base::fail_errno("looking for this program's file at /proc/self/exe");
    base::fail(base::Status::system_error,
               "this program starts its own processes and needs /proc, which is missing here, to "
               "find its file and its arguments: start it with tutti run -n N");
  }
  given.executable.assign(path.data(), static_cast<std::size_t>(length));
  // If the file was replaced meanwhile, the program can still be run under this name.
  if (::access(given.executable.c_str(), X_OK) != 0)
    given.executable = fmt::format("/proc/{}/exe", ::getpid());
  base::InputFile file("/proc/self/cmdline");
  for (std::string argument; std::getline(file, argument, '\0');)
    given.arguments.push_back(argument);
  if (given.arguments.empty()) given.arguments.push_back(given.executable);
}

// Runs the supervisor in a process of its own. It ends by _exit, because buffers and destructors
// may belong to the user's process.
[[noreturn]] void be_supervisor(transport::shm::Mapping& mapping, SupervisorStart given,
                                OperationName operation_name) {
  try {
    // Failure is harmless: it is only a name for people.
    ::prctl(PR_SET_NAME, "tutti-supervise");
    base::close_all_but(given.descriptors());
    base::open_missing_stdio();
    std::optional<JobSocket> job_socket;
    if (given.socket >= 0)
      job_socket = JobSocket::adopt(std::move(given.socket_path), given.socket, given.lock);
    SupervisorOptions options;
    options.name = "tutti";
    options.programs.push_back({std::move(given.executable),
                                std::move(given.arguments),
                                static_cast<int>(mapping.header().world_size),
                                {}});
    options.operation_name = operation_name;
    options.job_socket = given.socket;
    options.segment = given.segment;
    Supervisor supervisor(mapping, std::move(options));
    supervisor.watch_root_process(0, given.root, Descriptor(given.pidfd),
                                  Descriptor(given.control));
    supervisor.start(1);
    base::let_go_of(STDIN_FILENO);
    base::let_go_of(STDOUT_FILENO);
    static_cast<void>(supervisor.run());
    if (job_socket) job_socket->remove();
    // valgrind would search the segment for leaks, and read pages that nobody has touched.
    { const transport::shm::Mapping unmapped = std::move(mapping); }
    ::_exit(0);
  } catch (const std::exception& error) {
    say_failure(error);
    ::_exit(1);
  }
}

// The program forks its supervisor if this process ends before it has taken over.
transport::shm::Mapping opened_or_end(int segment) {
  try {
    return transport::shm::Mapping::open(segment);
  } catch (const std::exception&) {
    ::_exit(1);
  }
}

}  // namespace

void serve_as_supervisor(int argc, char** argv, OperationName operation_name) {
  auto given = received_start(argc, argv);
  if (!given) return;
  auto mapping = opened_or_end(given->segment);
  say_taken_over(given->received);
  be_supervisor(mapping, *std::move(given), operation_name);
}

Descriptor start_self_supervision(transport::shm::Mapping& mapping, OperationName operation_name,
                                  const ExpectEnd& expect_end, JobSocket* job_socket) {
  require_room(static_cast<int>(mapping.header().world_size));
  DescriptorPair control = socket_pair(SOCK_SEQPACKET);
  const Descriptor pidfd = open_pidfd(::getpid());
  SupervisorStart given{.segment = mapping.descriptor(),
                        .pidfd = pidfd.get(),
                        .control = control.second.get(),
                        .root = ::getpid()};
  if (job_socket != nullptr) {
    given.socket = job_socket->socket();
    given.lock = job_socket->lock();
    given.socket_path = job_socket->path();
  }
  name_this_program(given);
  expect_end(control.first.get());
  if (!start_supervisor_apart(given)) {
    const pid_t pid = ::fork();
    if (pid < 0) base::fail_errno("starting the supervisor");
    if (pid == 0) {
      drop_handlers();
      be_supervisor(mapping, std::move(given), operation_name);
    }
  }
  return std::move(control.first);
}

SelfStartedWorld start_self_supervision(int n, transport::shm::DeathPolicy policy,
                                        OperationName operation_name, const ExpectEnd& expect_end) {
  require_room(n);
  auto mapping = transport::shm::Mapping::create(
      {.world_size = static_cast<std::uint32_t>(n), .policy = policy, .limit_bytes = {}});
  Descriptor control = start_self_supervision(mapping, operation_name, expect_end);
  return {std::move(mapping), std::move(control)};
}

}  // namespace tutti::launch

// SPDX-License-Identifier: BSD-3-Clause
// Starts the supervisor as a helper, which executes no program of tutti's, so it needs no installed
// tool. It keeps only stderr of the user's, because a reader of the program's stdout must see its
// end when the job has ended.
#include "launch/self_supervised.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/input_file.hpp"
#include "launch/process.hpp"
#include "launch/supervisor.hpp"

namespace tutti::launch {
namespace {

// The places of what the supervisor is told. The arguments of the program are the last words.
enum DescriptorPlace : std::size_t { segment_at, pidfd_at, control_at, socket_at, lock_at };
enum WordPlace : std::size_t { root_at, socket_path_at, executable_at, arguments_at };

// Returns the file of the program that this process runs.
std::string own_executable() {
  std::array<char, PATH_MAX> path{};
  const auto length = ::readlink("/proc/self/exe", path.data(), path.size());
  if (length < 0) {
    if (errno != ENOENT) base::fail_errno("looking for this program's file at /proc/self/exe");
    base::fail(base::Status::system_error,
               "this program starts its own processes and needs /proc, which is missing here, to "
               "find its file and its arguments: start it with tutti run -n N");
  }
  std::string executable(path.data(), static_cast<std::size_t>(length));
  // If the file was replaced meanwhile, the program can still be run under this name.
  if (::access(executable.c_str(), X_OK) != 0) executable = fmt::format("/proc/{}/exe", ::getpid());
  return executable;
}

// Adds the program that this process runs, and its arguments.
void add_this_program(std::vector<std::string>& words) {
  words.push_back(own_executable());
  base::InputFile file("/proc/self/cmdline");
  for (std::string argument; std::getline(file, argument, '\0');) words.push_back(argument);
  if (words.size() == arguments_at) words.push_back(words[executable_at]);
}

void supervise(Helper& helper) {
  const std::vector<int>& given = helper.descriptors;
  const std::vector<std::string>& words = helper.words;
  // valgrind would search the segment for leaks, and read pages that nobody has touched, if it were
  // mapped at the end of the process.
  auto mapping = helper.mapping != nullptr ? std::move(*helper.mapping)
                                           : transport::shm::Mapping::open(given.at(segment_at));
  helper.say_begun();
  std::optional<Rendezvous> job_socket;
  if (given.at(socket_at) >= 0)
    job_socket = Rendezvous::adopt(words.at(socket_path_at), given[socket_at], given.at(lock_at));
  SupervisorOptions options;
  options.name = "tutti";
  options.programs.push_back({words.at(executable_at),
                              {words.begin() + arguments_at, words.end()},
                              static_cast<int>(mapping.header().world_size),
                              {}});
  options.operation_name = helper.operation_name;
  options.job_socket = given[socket_at];
  options.segment = given[segment_at];
  Supervisor supervisor(mapping, std::move(options));
  supervisor.watch_root_process(0, std::stoi(words[root_at]), Descriptor(given[pidfd_at]),
                                Descriptor(given[control_at]));
  supervisor.start(1);
  base::let_go_of(STDIN_FILENO);
  base::let_go_of(STDOUT_FILENO);
  static_cast<void>(supervisor.run());
  if (job_socket) job_socket->remove();
}

}  // namespace

constinit const HelperKind self_started_supervisor{"tutti-supervise", HelperTie::child, supervise};

Descriptor start_self_supervision(transport::shm::Mapping& mapping, OperationName operation_name,
                                  const ExpectEnd& expect_end, Rendezvous* job_socket) {
  require_room(static_cast<int>(mapping.header().world_size));
  DescriptorPair control = socket_pair(SOCK_SEQPACKET);
  const Descriptor pidfd = open_pidfd(::getpid());
  Helper helper{.words = {std::to_string(::getpid()), ""},
                .descriptors = {mapping.descriptor(), pidfd.get(), control.second.get(), -1, -1},
                .operation_name = operation_name,
                .mapping = &mapping};
  if (job_socket != nullptr) {
    helper.words[socket_path_at] = job_socket->path();
    helper.descriptors[socket_at] = job_socket->listener();
    helper.descriptors[lock_at] = job_socket->lock();
  }
  add_this_program(helper.words);
  expect_end(control.first.get());
  const HelperResult result = start_helper(self_started_supervisor, std::move(helper));
  // Somebody who kills the supervisor wants the program to end, as at any later time.
  if (result.killed_by != 0) {
    base::fail(base::Status::system_error, "the supervisor of this program was killed by signal {}",
               result.killed_by);
  }
  errno = result.error;
  if (!result.begun) base::fail_errno("starting the supervisor");
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

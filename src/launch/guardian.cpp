// SPDX-License-Identifier: BSD-3-Clause
// The guardian is a forked child that never executes anything else, so it needs no installed tool.
// It keeps nothing of the user's but stderr: whoever reads the program's stdout must see its end
// when the job has ended.
#include "launch/guardian.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <exception>
#include <fstream>
#include <iterator>

#include "base/error.hpp"
#include "launch/judge.hpp"
#include "launch/process.hpp"

namespace tutti::launch {
namespace {

Program this_program() {
  Program program;
  std::array<char, PATH_MAX> path{};
  const auto length = ::readlink("/proc/self/exe", path.data(), path.size());
  if (length > 0) program.executable.assign(path.data(), static_cast<std::size_t>(length));
  // A file that was replaced meanwhile still runs under this name.
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

struct Ward {
  pid_t pid;
  Descriptor pidfd;
  Descriptor control;
};

// _exit, never exit: buffers and destructors belong to the user's process.
[[noreturn]] void be_guardian(transport::shm::Mapping& mapping, Ward ward, JudgeOptions options,
                              Door* door) {
  try {
    drop_handlers();
    ::prctl(PR_SET_NAME, "tutti-guardian");
    std::vector<int> kept{mapping.descriptor(), ward.pidfd.get(), ward.control.get()};
    if (door != nullptr) kept.insert(kept.end(), {door->socket(), door->lock()});
    close_all_but(std::move(kept));
    Judge judge(mapping, std::move(options));
    judge.guard(0, ward.pid, std::move(ward.pidfd), std::move(ward.control));
    judge.start(1);
    let_go_of_stdio();
    static_cast<void>(judge.run());
    if (door != nullptr) door->remove();
    ::_exit(0);
  } catch (const std::exception& error) {
    write_all(STDERR_FILENO, fmt::format("tutti: {}\n", error.what()));
    ::_exit(1);
  }
}

}  // namespace

Descriptor start_guardian(transport::shm::Mapping& mapping, OperationName operation_name,
                          Door* door) {
  Pair control = socket_pair(SOCK_SEQPACKET);
  Program program = this_program();
  Ward ward{::getpid(), open_pidfd(::getpid()), std::move(control.second)};
  JudgeOptions options;
  options.name = "tutti";
  program.ranks = static_cast<int>(mapping.header().world_size);
  options.programs.push_back(std::move(program));
  options.operation_name = operation_name;
  if (door != nullptr) options.door = door->socket();
  const pid_t pid = ::fork();
  if (pid < 0) base::fail_errno("starting the guardian");
  if (pid == 0) be_guardian(mapping, std::move(ward), std::move(options), door);
  return std::move(control.first);
}

GuardedWorld start_guardian(int n, transport::shm::DeathPolicy policy,
                            OperationName operation_name) {
  require_room(n);
  auto mapping = transport::shm::Mapping::create(
      {.world_size = static_cast<std::uint32_t>(n), .policy = policy, .limit_bytes = {}});
  Descriptor control = start_guardian(mapping, operation_name);
  return {std::move(mapping), std::move(control)};
}

}  // namespace tutti::launch

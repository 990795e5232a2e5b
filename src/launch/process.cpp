// SPDX-License-Identifier: BSD-3-Clause
// Uses fork, exec and pidfds. Between fork and exec the child calls only functions that are safe
// there.
#include "launch/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <sstream>
#include <string_view>
#include <unordered_set>

#include "base/descriptor.hpp"
#include "base/environment.hpp"
#include "base/input_file.hpp"
#include "base/uninterrupted.hpp"
#include "launch/descendants.hpp"
#include "launch/job_descriptor.hpp"

namespace tutti::launch {
namespace {

// Inherited descriptors get numbers from here on, because shells and scripts use low numbers for
// redirections.
constexpr int first_inherited = 200;

// Returns a copy that stays open on exec; -1 if there is none.
int inherit(int descriptor) {
  const int high = ::fcntl(descriptor, F_DUPFD, first_inherited);
  return high >= 0 ? high : ::fcntl(descriptor, F_DUPFD, STDERR_FILENO + 1);
}

// Returns true for a "NAME=value" by which an MPI and its launcher tell a process that it belongs
// to their job.
bool of_mpi_launcher(std::string_view entry) {
  const auto begins = [entry](std::string_view prefix) { return entry.starts_with(prefix); };
  return begins("OMPI_") || begins("PMIX_") || begins("PRTE_") || begins("PMI_") || begins("HYD");
}

std::string_view name_of(std::string_view entry) {
  return entry.substr(0, entry.find('='));
}

std::string assignment(base::Variable variable, int value) {
  return fmt::format("{}={}", base::name_of(variable), value);
}

// Returns the environment variables that the new process gets from this one, as NAME=value. If a
// name occurs twice, the later entry wins.
std::vector<std::string> own_variables(const StartRequest& request) {
  std::vector<std::string> own{assignment(base::Variable::rank, request.world_rank),
                               assignment(base::Variable::size, request.world_size)};
  for (const std::string& entry : request.setting->environment) {
    std::erase_if(own,
                  [&](const std::string& earlier) { return name_of(earlier) == name_of(entry); });
    own.push_back(entry);
  }
  return own;
}

struct Image {
  std::vector<char*> arguments;
  std::vector<std::string> own;
  std::vector<char*> environment;  // its first entry is `job_descriptor`
  std::array<char, 96> job_descriptor{};
  bool launched_before = false;  // another launcher has started this process
};

Image prepare(const StartRequest& request) {
  Image image;
  for (const auto& argument : *request.arguments)
    image.arguments.push_back(const_cast<char*>(argument.c_str()));
  image.arguments.push_back(nullptr);
  image.own = own_variables(request);
  image.launched_before = base::started_by_launcher();
  std::unordered_set<std::string_view> replaced{job_variable()};
  image.environment.push_back(nullptr);
  for (std::string& entry : image.own) {
    replaced.insert(name_of(entry));
    image.environment.push_back(entry.data());
  }
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (request.below_mpi && of_mpi_launcher(*entry)) continue;
    if (!replaced.contains(name_of(*entry))) image.environment.push_back(*entry);
  }
  image.environment.push_back(nullptr);
  return image;
}

bool bind_to(const std::vector<int>* processors) {
  if (processors == nullptr || processors->empty()) return true;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int processor : *processors) CPU_SET(static_cast<std::size_t>(processor), &set);
  return ::sched_setaffinity(0, sizeof set, &set) == 0;
}

bool redirect(const StartRequest& request) {
  if (!request.keep_stdin) base::let_go_of(STDIN_FILENO);
  return (request.output < 0 || ::dup2(request.output, STDOUT_FILENO) >= 0) &&
         (request.error < 0 || ::dup2(request.error, STDERR_FILENO) >= 0);
}

struct StartFailure {
  int error;
  StartStep step;
};

[[noreturn]] void give_up_start(int error_pipe, StartStep step) {
  const StartFailure failure{errno, step};
  // Failure is harmless: the parent then sees a process that ends with code 127.
  static_cast<void>(!::write(error_pipe, &failure, sizeof failure));
  ::_exit(127);
}

[[noreturn]] void become(const StartRequest& request, Image& image, pid_t parent, int error_pipe) {
  end_with_parent(parent);
  if (!redirect(request)) give_up_start(error_pipe, StartStep::descriptors);
  // Failure is harmless: the task then holds connections of the MPI open until it ends.
  if (request.below_mpi) ::syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC);
  if (!bind_to(request.processors)) give_up_start(error_pipe, StartStep::binding);
  if (!request.setting->folder.empty() && ::chdir(request.setting->folder.c_str()) != 0) {
    give_up_start(error_pipe, StartStep::folder);
  }
  const int segment = inherit(request.segment);
  const int supervisor = inherit(request.supervisor);
  if (segment < 0 || supervisor < 0) give_up_start(error_pipe, StartStep::descriptors);
  std::snprintf(image.job_descriptor.data(), image.job_descriptor.size(),
                "%s=segment=%d,supervisor=%d,before=%d,rank=%d", job_variable(), segment,
                supervisor, image.launched_before ? 1 : 0, request.rank);
  image.environment.front() = image.job_descriptor.data();
  // Failure is harmless: the program may then open more files than its caller allows.
  ::setrlimit(RLIMIT_NOFILE, &request.descriptors);
  request.signals->restore();
  ::execvpe(request.executable->c_str(), image.arguments.data(), image.environment.data());
  give_up_start(error_pipe, StartStep::program);
}

// Layout of the kernel's answer since Linux 6.13. The kernel fills in the exit code since 6.15.
struct PidfdInfo {
  std::uint64_t mask;
  std::uint64_t cgroup;
  std::uint32_t ids[11];
  std::int32_t exit_code;
};
static_assert(sizeof(PidfdInfo) == 64 && offsetof(PidfdInfo, exit_code) == 60);

bool ask_pidfd(int pidfd, Ending& ending) {
  constexpr std::uint64_t exit_wanted = 1U << 3;
  constexpr unsigned long request = _IOWR(0xFF, 11, PidfdInfo);
  PidfdInfo info{};
  info.mask = exit_wanted;
  if (::ioctl(pidfd, request, &info) != 0 || (info.mask & exit_wanted) == 0) return false;
  ending = Ending::of_wait_status(info.exit_code);
  return true;
}

// Returns the fields of /proc/pid/stat from the third on; none if the process is gone or /proc does
// not tell. The second field is in parentheses and may contain anything.
std::vector<std::string> stat_of(pid_t pid) {
  if (!proc_is_ours()) return {};
  base::InputFile file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(file, line) || line.rfind(')') == std::string::npos) return {};
  std::istringstream fields(line.substr(line.rfind(')') + 1));
  return {std::istream_iterator<std::string>(fields), {}};
}

bool ask_proc(pid_t pid, Ending& ending) {
  constexpr std::size_t exit_code = 52 - 3;
  const auto fields = stat_of(pid);
  if (fields.size() <= exit_code || fields.front() != "Z") return false;
  ending = Ending::of_wait_status(std::stoi(fields[exit_code]));
  return true;
}

}  // namespace

bool is_ending(pid_t pid) {
  constexpr std::size_t flags = 9 - 3;
  constexpr unsigned long exiting = 0x4;  // PF_EXITING of the kernel
  const auto fields = stat_of(pid);
  return fields.size() <= flags || (std::stoul(fields[flags]) & exiting) != 0;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

StartResult start_process(const StartRequest& request) {
  Image image = prepare(request);
  DescriptorPair error = pipe_pair();
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return {-1, errno};
  if (pid == 0) become(request, image, parent, error.second.get());
  error.second.reset();
  StartFailure failure{EIO, StartStep::program};
  const ssize_t got =
      base::uninterrupted([&] { return ::read(error.first.get(), &failure, sizeof failure); });
  if (got == 0) return {pid, 0};  // exec has closed the pipe
  if (got < 0) {                  // the child may run, but nobody knows
    failure.error = errno;
    // Failure is harmless: the child has ended.
    ::kill(pid, SIGKILL);
  }
  base::uninterrupted([pid] { return ::waitpid(pid, nullptr, 0); });
  return {-1, failure.error, failure.step};
}

void end_with_parent(pid_t parent, int signal) {
  // Failure is harmless: a process of the job learns of the end by its death pipe, too.
  ::prctl(PR_SET_PDEATHSIG, signal);
  if (::getppid() != parent) ::_exit(1);  // the parent died before the line above
}

Descriptor open_pidfd(pid_t pid) {
  return Descriptor(base::raised(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))));
}

Descriptor pidfd_of_peer(const Descriptor& socket) {
  Descriptor pidfd = open_pidfd(pid_of_peer(socket));
  // If the process has ended, another one may have got its pid.
  if (pidfd.valid() && peer_is_gone(socket)) {
    pidfd.reset();
    errno = ESRCH;
  }
  return pidfd;
}

void send_signal(int pidfd, pid_t pid, int signal) {
  if (pidfd < 0) return;
  if (::syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, 0) == 0) return;
  // A sandbox may refuse this call only. The pidfd keeps no other process from getting the pid, but
  // the supervisor has not seen the end of this one.
  const bool refused = errno == ENOSYS || errno == EPERM;
  // Failure is harmless: the process has ended.
  if (refused && pid > 0) ::kill(pid, signal);
}

Ending ending_of(const siginfo_t& info) {
  return {info.si_code == CLD_EXITED ? EndingKind::exited : EndingKind::signalled, info.si_status};
}

Ending ending_of(int pidfd, pid_t pid, std::uint32_t exit_note) {
  siginfo_t info{};
  if (::waitid(P_PIDFD, static_cast<id_t>(pidfd), &info, WEXITED | WNOHANG) == 0 &&
      info.si_pid == pid) {
    return ending_of(info);
  }
  Ending ending;
  if (ask_pidfd(pidfd, ending) || ask_proc(pid, ending) || ask_pidfd(pidfd, ending)) return ending;
  if (exit_note != 0) return {EndingKind::exited, static_cast<int>(exit_note - 1)};
  return {EndingKind::unknown, 0};
}

Ending peek_ending(int pidfd, pid_t pid) {
  siginfo_t info{};
  const bool child = pidfd < 0;
  if (::waitid(child ? P_PID : P_PIDFD, static_cast<id_t>(child ? pid : pidfd), &info,
               WEXITED | WNOHANG | WNOWAIT) == 0 &&
      info.si_pid == pid) {
    return ending_of(info);
  }
  pollfd end{pidfd, POLLIN, 0};
  Ending ending{EndingKind::running, 0};
  if (child || ::poll(&end, 1, 0) <= 0) return ending;
  if (ask_pidfd(pidfd, ending) || ask_proc(pid, ending)) return ending;
  return {EndingKind::unknown, 0};
}

rlimit raise_descriptor_limit() {
  rlimit before{};
  // Failure is harmless: it fails only for wrong arguments.
  ::getrlimit(RLIMIT_NOFILE, &before);
  rlimit raised = before;
  raised.rlim_cur = raised.rlim_max;
  // Failure is harmless: starting a rank says so if descriptors are then too few.
  ::setrlimit(RLIMIT_NOFILE, &raised);
  return before;
}

}  // namespace tutti::launch

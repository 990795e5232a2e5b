// SPDX-License-Identifier: BSD-3-Clause
// Starts commands and reads what they print.
#include "support/child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/uninterrupted.hpp"
#include "launch/descriptor.hpp"
#include "launch/process.hpp"

namespace tutti::tools {

namespace fs = std::filesystem;

namespace {

constexpr int cannot_run = 127;

// Returns only if the program cannot be run; errno says why.
void execute(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  // Failure is harmless: the caller ends with a code for it.
  (void)execvp(arguments[0], arguments.data());
}

// Runs between fork and exec. This process has no other threads then, so every function may be
// called.
[[noreturn]] void become(const ChildCommand& command, pid_t parent, int output) {
  // Failure is harmless: the child then gets the signals of the terminal itself.
  (void)setsid();
  launch::end_with_parent(parent, SIGTERM);  // a launcher of an MPI then ends its job
  base::let_go_of(STDIN_FILENO);
  if (dup2(output, STDOUT_FILENO) < 0) _exit(cannot_run);
  for (const auto& [name, value] : command.environment) {
    if (setenv(name.c_str(), value.c_str(), 1) != 0) _exit(cannot_run);
  }
  execute(command.words);
  _exit(cannot_run);
}

void deliver(std::string& pending, const std::function<void(const std::string&)>& line) {
  std::size_t begin = 0;
  for (auto end = pending.find('\n'); end != std::string::npos; end = pending.find('\n', begin)) {
    line(pending.substr(begin, end - begin));
    begin = end + 1;
  }
  pending.erase(0, begin);
}

// Returns the path of this program. Without /proc, it is the one by which it was started.
fs::path own_path() {
  std::error_code error;
  fs::path path = fs::read_symlink("/proc/self/exe", error);
  if (!error) return path;
  const std::string why = error.message();
  const auto* const started = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
  if (started != nullptr) path = fs::canonical(started, error);
  if (started == nullptr || error)
    base::fail(base::Status::system_error, "/proc/self/exe: {}", why);
  return path;
}

}  // namespace

int exit_code_of(pid_t child) {
  int status = 0;
  base::uninterrupted([&] { return waitpid(child, &status, 0); });
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int read_lines(const ChildCommand& command, const std::function<void(const std::string&)>& line) {
  launch::DescriptorPair pipe = launch::pipe_pair();
  const pid_t parent = getpid(), child = fork();
  if (child < 0) base::fail(base::Status::system_error, "no process: {}", std::strerror(errno));
  if (child == 0) become(command, parent, pipe.second.get());
  pipe.second.reset();
  std::string pending;
  std::array<char, 4096> buffer{};
  const auto next = [&] { return read(pipe.first.get(), buffer.data(), buffer.size()); };
  ssize_t count = 0;
  while ((count = base::uninterrupted(next)) > 0) {
    pending.append(buffer.data(), static_cast<std::size_t>(count));
    deliver(pending, line);
  }
  if (count == 0) return exit_code_of(child);
  const int error = errno;
  // Failure is harmless: the child has ended.
  ::kill(child, SIGKILL);  // a job of tutti run then ends without a report of its own
  // Failure is harmless: the reason that is told is another one.
  static_cast<void>(exit_code_of(child));
  errno = error;
  base::fail_errno(fmt::format("reading what {} prints", command.words.front()));
}

std::string command_path() {
  const fs::path path = own_path();
  const auto is_this = [&](const char* helper) { return path.filename() == helper; };
  if (!is_this(papers_program) && !is_this(measure_program) && !is_this(study_program))
    return path.string();
  const fs::path beside = path.parent_path() / "tutti";
  if (access(beside.c_str(), X_OK) == 0) return beside.string();
  return (path.parent_path() / TUTTI_BIN_FROM_HELPERS / "tutti").lexically_normal().string();
}

std::string find_helper(const std::string& name) {
  const fs::path folder = fs::path(command_path()).parent_path();
  for (const char* place : {".", "../bench", TUTTI_HELPERS_FROM_BIN}) {
    const fs::path path = (folder / place / name).lexically_normal();
    if (access(path.c_str(), X_OK) == 0) return path.string();
  }
  return {};
}

std::string helper_program(const std::string& name) {
  std::string path = find_helper(name);
  if (!path.empty()) return path;
  const fs::path folder = fs::path(command_path()).parent_path();
  const bool in_wheel = name == study_program || name == measure_program;
  base::fail(base::Status::system_error,
             "the program {} is neither in {} nor in {}; `make install` and the Debian package "
             "tutti bring it{}",
             name, folder.string(), (folder / TUTTI_HELPERS_FROM_BIN).lexically_normal().string(),
             in_wheel ? "" : ", a wheel of Python leaves it out");
}

void become_helper(const std::string& name, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {helper_program(name)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  execute(words);
  base::fail_errno(words.front());
}

std::vector<std::string> mpi_launcher(const std::string& mpi, int ranks) {
  const std::string n = std::to_string(ranks);
  if (mpi == "mpich") return {"mpiexec.mpich", "-n", n};
  return {"mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-n", n};
}

}  // namespace tutti::tools

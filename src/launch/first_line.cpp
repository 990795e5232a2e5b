// SPDX-License-Identifier: BSD-3-Clause
// A fork would copy the page tables of the user's program, and popen starts a shell that outlives
// this process. So the child of a vfork ties itself to this process and executes the program.
#include "launch/first_line.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>

#include "base/uninterrupted.hpp"
#include "launch/descriptor.hpp"
#include "launch/process.hpp"

namespace tutti::launch {
namespace {

// Until the child executes the program, it has the memory of this process, in which no handler of
// a signal may run.
class NoSignals {
 public:
  NoSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;
  ~NoSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

// Runs in the child and changes no memory.
[[noreturn]] void become(char* const* words, pid_t parent, int nothing, int output) {
  end_with_parent(parent);
  if (::dup2(nothing, STDIN_FILENO) >= 0 && ::dup2(output, STDOUT_FILENO) >= 0 &&
      ::dup2(nothing, STDERR_FILENO) >= 0) {
    // Failure is harmless: the next line ends the process.
    ::execvp(words[0], words);
  }
  ::_exit(1);
}

// Returns a pid, which is -1 if there is no process.
pid_t start(std::vector<std::string>& words, int nothing, int output) {
  const std::vector<char*> arguments = pointers_to(words);
  char* const* const to_execute = arguments.data();
  const pid_t parent = ::getpid();
  const NoSignals none;
  const pid_t child = ::vfork();
  if (child == 0) become(to_execute, parent, nothing, output);
  return child;
}

}  // namespace

std::string first_line_of(std::vector<std::string> words) {
  const Descriptor nothing(base::raised(::open("/dev/null", O_RDWR | O_CLOEXEC)));
  if (!nothing.valid()) return {};
  DescriptorPair pipe = pipe_pair();
  const pid_t child = start(words, nothing.get(), pipe.second.get());
  if (child < 0) return {};
  pipe.second.reset();
  std::string text;
  std::array<char, 512> bytes{};
  const auto next = [&] { return ::read(pipe.first.get(), bytes.data(), bytes.size()); };
  for (ssize_t got = base::uninterrupted(next); got > 0; got = base::uninterrupted(next))
    text.append(bytes.data(), static_cast<std::size_t>(got));
  // Failure is harmless: the program has closed its stdout or printed more than anybody needs.
  ::kill(child, SIGKILL);
  // Failure is harmless: a program that ignores SIGCHLD has no child to wait for.
  base::uninterrupted([child] { return ::waitpid(child, nullptr, 0); });
  return text.substr(0, text.find('\n'));
}

}  // namespace tutti::launch

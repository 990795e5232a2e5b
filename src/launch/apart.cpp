// SPDX-License-Identifier: BSD-3-Clause
// Executes `true` with this library, and passes what the new process needs in its environment.
#include "launch/apart.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/input_file.hpp"
#include "base/uninterrupted.hpp"
#include "launch/descriptor.hpp"

namespace tutti::launch {
namespace {

constexpr const char* preload = "LD_PRELOAD";
// The arguments are a name, the descriptor for the answer, and earlier preloads.
constexpr int arguments_given = 3;

// Words travel in variables of the environment, because every user may read the arguments of a
// process.
std::string variable_of(std::size_t word) {
  return fmt::format("_TUTTI_WORD_{}", word);
}

// A sanitizer's library must be loaded before this one. GCC and Clang tell of one in different
// words.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool can_be_preloaded = false;
#elif defined(__has_feature)
constexpr bool can_be_preloaded = !__has_feature(address_sanitizer) &&
                                  !__has_feature(thread_sanitizer) &&
                                  !__has_feature(memory_sanitizer);
#else
constexpr bool can_be_preloaded = true;
#endif

const char* smallest_program() {
  for (const char* path : {"/bin/true", "/usr/bin/true"}) {
    if (::access(path, X_OK) == 0) return path;
  }
  return nullptr;
}

bool is_this_program(const Descriptor& file) {
  struct stat own {
  }, program{};
  return ::fstat(file.get(), &own) == 0 && ::stat("/proc/self/exe", &program) == 0 &&
         own.st_dev == program.st_dev && own.st_ino == program.st_ino;
}

// Returns the file of this library; an invalid descriptor if it is not there any more, or if this
// code is a part of the program.
Descriptor own_library() {
  const auto here = reinterpret_cast<std::uintptr_t>(&start_apart);
  base::InputFile maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t first = 0, end = 0;
    const bool read = std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR, &first, &end) == 2;
    if (!read || here < first || here >= end) continue;
    const auto path = line.find('/');
    if (path == std::string::npos) break;
    Descriptor file(base::raised(::open(line.c_str() + path, O_RDONLY | O_CLOEXEC)));
    if (file.valid() && !is_this_program(file)) return file;
    break;
  }
  return {};
}

// The variables of this process and the words, but with the library as the only one that is
// preloaded. Others, such as a profiler, are for the program and not for its supervisor.
class Environment {
 public:
  Environment(int library, const std::vector<std::string>& words) {
    own_.push_back(fmt::format("{}=/proc/self/fd/{}", preload, library));
    for (std::size_t i = 0; i < words.size(); ++i)
      own_.push_back(fmt::format("{}={}", variable_of(i), words[i]));
    const std::size_t name = std::strlen(preload);
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
      const bool replaced = std::strncmp(*entry, preload, name) == 0 && (*entry)[name] == '=';
      if (!replaced) entries_.push_back(*entry);
    }
    for (std::string& entry : own_) entries_.push_back(entry.data());
    entries_.push_back(nullptr);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  [[nodiscard]] char* const* get() const { return entries_.data(); }

 private:
  std::vector<std::string> own_;
  std::vector<char*> entries_;
};

// Returns the value of a variable; nullptr if there is none.
const char* value_of(const std::string& variable) {
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const bool named = std::strncmp(*entry, variable.c_str(), variable.size()) == 0;
    if (named && (*entry)[variable.size()] == '=') return *entry + variable.size() + 1;
  }
  return nullptr;
}

// Executes a program with these descriptors. Returns its pid; -1 if it cannot be executed.
pid_t spawn(const char* program, std::vector<std::string> arguments, const Environment& environment,
            const std::vector<int>& descriptors) {
  posix_spawn_file_actions_t actions;
  if (::posix_spawn_file_actions_init(&actions) != 0) return -1;
  bool kept = true;
  for (const int descriptor : descriptors) {
    // A copy onto itself stays open in the new program.
    if (descriptor >= 0)
      kept = kept && ::posix_spawn_file_actions_adddup2(&actions, descriptor, descriptor) == 0;
  }
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  pid_t pid = -1;
  if (!kept ||
      ::posix_spawn(&pid, program, &actions, nullptr, words.data(), environment.get()) != 0)
    pid = -1;
  // Failure is harmless: it only frees memory.
  ::posix_spawn_file_actions_destroy(&actions);
  return pid;
}

int wait_for_end(pid_t pid) {
  int status = 0;
  base::uninterrupted([&] { return ::waitpid(pid, &status, 0); });
  return status;
}

// Waits until the process says that it runs, or has ended.
bool has_taken_over(const Descriptor& answer, pid_t pid) {
  char byte = 0;
  const ssize_t got = base::uninterrupted([&] { return ::read(answer.get(), &byte, 1); });
  if (got >= 0) return got == 1;
  const int error = errno;
  // Failure is harmless: the process has ended. It may run, but nobody knows.
  ::kill(pid, SIGKILL);
  wait_for_end(pid);
  errno = error;
  base::fail_errno("waiting for a process that shall take over");
}

}  // namespace

ApartResult start_apart(const ApartStart& start) {
  const char* const program = smallest_program();
  if (!can_be_preloaded || program == nullptr || ::getauxval(AT_SECURE) != 0) return {};
  const Descriptor library = own_library();
  if (!library.valid()) return {};
  DescriptorPair answer = pipe_pair();
  std::vector<int> descriptors = start.descriptors;
  descriptors.insert(descriptors.end(), {library.get(), answer.second.get()});
  const pid_t pid =
      spawn(program, {start.name, std::to_string(answer.second.get()), base::preloaded()},
            Environment(library.get(), start.words), descriptors);
  answer.second.reset();
  if (pid < 0) return {};
  const bool runs = has_taken_over(answer.first, pid);
  if (runs && start.stays_child) return {.runs = true};
  const int status = wait_for_end(pid);
  return {.runs = runs, .killed_by = WIFSIGNALED(status) ? WTERMSIG(status) : 0};
}

// A process with more rights than its caller must not obey arguments that the caller has chosen.
std::optional<ReceivedApart> received_apart(const char* name, int argc, char** argv) {
  if (argc != arguments_given || std::strcmp(argv[0], name) != 0 || ::getauxval(AT_SECURE) != 0)
    return std::nullopt;
  ReceivedApart received;
  if (std::sscanf(argv[1], "%d", &received.ready) != 1) return std::nullopt;
  if (*argv[2] == '\0') {
    // Failure is harmless: it fails only for a wrong name.
    ::unsetenv(preload);
  } else if (::setenv(preload, argv[2], 1) != 0) {
    return std::nullopt;  // there is no memory; the program then starts another process
  }
  while (const char* const word = value_of(variable_of(received.words.size()))) {
    const std::string variable = variable_of(received.words.size());
    received.words.emplace_back(word);
    // Failure is harmless: the variable stays, and nobody else reads it.
    ::unsetenv(variable.c_str());
  }
  return received;
}

void say_taken_over(const ReceivedApart& received) {
  if (received.ready < 0) return;
  const ssize_t written = base::uninterrupted([&] { return ::write(received.ready, "", 1); });
  if (written != 1) ::_exit(1);
  ::close(received.ready);
}

}  // namespace tutti::launch

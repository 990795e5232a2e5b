// SPDX-License-Identifier: BSD-3-Clause
// Starts a supervisor, and passes what it needs in its arguments.
#include "launch/supervisor_start.hpp"

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
#include <fstream>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "launch/descriptor.hpp"

namespace tutti::launch {
namespace {

constexpr const char* process_name = "tutti-supervise";
constexpr const char* preload = "LD_PRELOAD";
// Arguments in front of the program's own: name, numbers, earlier preloads, socket path,
// executable.
constexpr int fixed_arguments = 5;

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
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t first = 0, end = 0;
    const bool read = std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR, &first, &end) == 2;
    if (!read || here < first || here >= end) continue;
    const auto path = line.find('/');
    if (path == std::string::npos) break;
    Descriptor file(::open(line.c_str() + path, O_RDONLY | O_CLOEXEC));
    if (file.valid() && !is_this_program(file)) return file;
    break;
  }
  return {};
}

// The variables of this process, but with the library as the only one that is preloaded. Others,
// such as a profiler, are for the program and not for its supervisor.
class Environment {
 public:
  explicit Environment(int library)
      : preloaded_(fmt::format("{}=/proc/self/fd/{}", preload, library)) {
    const std::size_t name = std::strlen(preload);
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
      const bool replaced = std::strncmp(*entry, preload, name) == 0 && (*entry)[name] == '=';
      if (!replaced) entries_.push_back(*entry);
    }
    entries_.push_back(preloaded_.data());
    entries_.push_back(nullptr);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  [[nodiscard]] char* const* get() const { return entries_.data(); }

 private:
  std::string preloaded_;
  std::vector<char*> entries_;
};

std::vector<std::string> arguments_of(const SupervisorStart& given, int ready) {
  std::vector<std::string> all{
      process_name,
      fmt::format("{} {} {} {} {} {} {}", given.segment, given.pidfd, given.control, given.socket,
                  given.lock, given.root, ready),
      base::preloaded(), given.socket_path, given.executable};
  all.insert(all.end(), given.arguments.begin(), given.arguments.end());
  return all;
}

// Executes a program with these descriptors. Returns its pid; -1 if it cannot be executed.
pid_t spawn(const char* program, std::vector<std::string> arguments, const Environment& environment,
            const std::vector<int>& descriptors) {
  posix_spawn_file_actions_t actions;
  if (::posix_spawn_file_actions_init(&actions) != 0) return -1;
  for (const int descriptor : descriptors) {
    // A copy onto itself stays open in the new program.
    if (descriptor >= 0) ::posix_spawn_file_actions_adddup2(&actions, descriptor, descriptor);
  }
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  pid_t pid = -1;
  if (::posix_spawn(&pid, program, &actions, nullptr, words.data(), environment.get()) != 0)
    pid = -1;
  ::posix_spawn_file_actions_destroy(&actions);
  return pid;
}

bool has_taken_over(const Descriptor& answer) {
  char byte = 0;
  ssize_t got = 0;
  do {
    got = ::read(answer.get(), &byte, 1);
  } while (got < 0 && errno == EINTR);
  return got == 1;
}

}  // namespace

bool start_apart(const SupervisorStart& start) {
  const char* const program = smallest_program();
  if (!can_be_preloaded || program == nullptr || ::getauxval(AT_SECURE) != 0) return false;
  const Descriptor library = own_library();
  if (!library.valid()) return false;
  DescriptorPair answer = pipe_pair();
  std::vector<int> descriptors = start.descriptors();
  descriptors.insert(descriptors.end(), {library.get(), answer.second.get()});
  const pid_t pid = spawn(program, arguments_of(start, answer.second.get()),
                          Environment(library.get()), descriptors);
  answer.second.reset();
  if (pid < 0) return false;
  if (has_taken_over(answer.first)) return true;
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  // Somebody who kills the supervisor wants the program to end, as at any later time.
  if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGTERM))
    base::fail(base::Status::system_error, "the supervisor of this program was killed by signal {}",
               WTERMSIG(status));
  return false;
}

// A process with more rights than its caller must not obey arguments that the caller has chosen.
std::optional<SupervisorStart> received_start(int argc, char** argv) {
  if (argc < fixed_arguments || std::strcmp(argv[0], process_name) != 0 ||
      ::getauxval(AT_SECURE) != 0)
    return std::nullopt;
  SupervisorStart given;
  if (std::sscanf(argv[1], "%d %d %d %d %d %d %d", &given.segment, &given.pidfd, &given.control,
                  &given.socket, &given.lock, &given.root, &given.ready) != 7)
    return std::nullopt;
  if (*argv[2] == '\0') {
    ::unsetenv(preload);
  } else {
    ::setenv(preload, argv[2], 1);
  }
  given.socket_path = argv[3];
  given.executable = argv[4];
  given.arguments.assign(argv + fixed_arguments, argv + argc);
  return given;
}

void say_taken_over(const SupervisorStart& given) {
  static_cast<void>(!::write(given.ready, "", 1));
}

}  // namespace tutti::launch

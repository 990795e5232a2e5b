// SPDX-License-Identifier: BSD-3-Clause
// Executes `true` with this library, and passes what the helper is told in its environment.
#include "launch/helper_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/input_file.hpp"
#include "base/uninterrupted.hpp"
#include "launch/descriptor.hpp"
#include "launch/output.hpp"
#include "launch/process.hpp"
#include "launch/signals.hpp"

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
  const auto here = reinterpret_cast<std::uintptr_t>(&start_helper);
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

// Returns the variables of this process and what the helper is told, with the descriptors as the
// first word. The library is the only one that is preloaded: others, such as a profiler, are for
// the program.
std::vector<std::string> environment_of(int library, const Helper& helper) {
  std::vector<std::string> all;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    if (!std::string_view(*entry).starts_with(fmt::format("{}=", preload)))
      all.emplace_back(*entry);
  all.push_back(fmt::format("{}=/proc/self/fd/{}", preload, library));
  all.push_back(fmt::format("{}={}", variable_of(0), fmt::join(helper.descriptors, " ")));
  for (std::size_t i = 0; i < helper.words.size(); ++i)
    all.push_back(fmt::format("{}={}", variable_of(i + 1), helper.words[i]));
  return all;
}

// Returns the value of a variable; nullptr if there is none.
const char* value_of(const std::string& variable) {
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const bool named = std::strncmp(*entry, variable.c_str(), variable.size()) == 0;
    if (named && (*entry)[variable.size()] == '=') return *entry + variable.size() + 1;
  }
  return nullptr;
}

// Executes a program with these descriptors. Returns its pid; -1 if it cannot be executed.
pid_t spawn(const char* program, std::vector<std::string> arguments,
            std::vector<std::string> environment, const std::vector<int>& descriptors) {
  posix_spawn_file_actions_t actions;
  if (::posix_spawn_file_actions_init(&actions) != 0) return -1;
  bool kept = true;
  for (const int descriptor : descriptors) {
    // A copy onto itself stays open in the new program.
    if (descriptor >= 0)
      kept = kept && ::posix_spawn_file_actions_adddup2(&actions, descriptor, descriptor) == 0;
  }
  pid_t pid = -1;
  if (!kept || ::posix_spawn(&pid, program, &actions, nullptr, pointers_to(arguments).data(),
                             pointers_to(environment).data()) != 0)
    pid = -1;
  // Failure is harmless: it only frees memory.
  ::posix_spawn_file_actions_destroy(&actions);
  return pid;
}

// Returns -1 if that is impossible here: no program `true`, a sanitizer, or no library, because
// tutti is a part of the program.
pid_t execute(const HelperKind& kind, Helper& helper) {
  const char* const program = smallest_program();
  if (!can_be_preloaded || program == nullptr || ::getauxval(AT_SECURE) != 0) return -1;
  const Descriptor library = own_library();
  if (!library.valid()) return -1;
  std::vector<int> descriptors = helper.descriptors;
  descriptors.insert(descriptors.end(), {library.get(), helper.answer});
  return spawn(program, {kind.name, std::to_string(helper.answer), base::preloaded()},
               environment_of(library.get(), helper), descriptors);
}

enum class Image { executed, forked };

// Keeps only what the helper is given.
void part_from_program(const HelperKind& kind, const Helper& helper) {
  drop_handlers();
  // Failure is harmless: it is only a name for people.
  ::prctl(PR_SET_NAME, kind.name);
  std::vector<int> kept = helper.descriptors;
  kept.push_back(helper.answer);
  base::close_all_but(std::move(kept));
  base::open_missing_stdio();
  if (kind.tie == HelperTie::child) return;
  // Failure is harmless: a signal for the group of the program then ends the helper, too.
  ::setsid();
  base::let_go_of(STDIN_FILENO);
  base::let_go_of(STDOUT_FILENO);
}

// A helper that the program can still fork is silent if it fails to begin.
[[noreturn]] void be_helper(const HelperKind& kind, Helper& helper, Image image) {
  if (kind.tie == HelperTie::none && ::fork() != 0) ::_exit(0);
  try {
    part_from_program(kind, helper);
    kind.run(helper);
    ::_exit(0);
  } catch (const std::exception& error) {
    const bool begun = helper.answer < 0;
    if (begun || image == Image::forked) say_failure(error);
    ::_exit(1);
  }
}

pid_t fork_off(const HelperKind& kind, Helper& helper) {
  const pid_t pid = ::fork();
  if (pid == 0) be_helper(kind, helper, Image::forked);
  return pid;
}

int wait_for_end(pid_t pid) {
  int status = 0;
  base::uninterrupted([&] { return ::waitpid(pid, &status, 0); });
  return status;
}

// Waits until the helper says that it has begun, or has ended. `pid` is the helper, or a process
// that only forks it.
HelperResult hear(const HelperKind& kind, const Descriptor& answer, pid_t pid) {
  char byte = 0;
  const ssize_t got = base::uninterrupted([&] { return ::read(answer.get(), &byte, 1); });
  if (got < 0) {
    const int error = errno;
    // Failure is harmless: the process has ended. It may run, but nobody knows.
    ::kill(pid, SIGKILL);
    wait_for_end(pid);
    errno = error;
    base::fail_errno("waiting for a process that shall take over");
  }
  if (got == 1 && kind.tie == HelperTie::child) return {.begun = true};
  const Ending ending = Ending::of_wait_status(wait_for_end(pid));
  const bool by_somebody = ending.by(SIGKILL) || ending.by(SIGTERM);
  return {.begun = got == 1, .killed_by = by_somebody ? ending.value : 0, .error = EIO};
}

// Returns what this process was started with as a helper of this kind; nullopt in every other
// process. A process with more rights than its caller must not obey arguments that the caller has
// chosen.
std::optional<Helper> received(const HelperKind& kind, int argc, char** argv) {
  if (argc != arguments_given || std::strcmp(argv[0], kind.name) != 0 ||
      ::getauxval(AT_SECURE) != 0)
    return std::nullopt;
  Helper helper;
  if (std::sscanf(argv[1], "%d", &helper.answer) != 1) return std::nullopt;
  if (*argv[2] == '\0') {
    // Failure is harmless: it fails only for a wrong name.
    ::unsetenv(preload);
  } else if (::setenv(preload, argv[2], 1) != 0) {
    return std::nullopt;  // there is no memory; the program then forks
  }
  while (const char* const word = value_of(variable_of(helper.words.size()))) {
    const std::string variable = variable_of(helper.words.size());
    helper.words.emplace_back(word);
    // Failure is harmless: the variable stays, and nobody else reads it.
    ::unsetenv(variable.c_str());
  }
  if (helper.words.empty()) return std::nullopt;
  std::istringstream numbers(helper.words.front());
  for (int number = 0; numbers >> number;) helper.descriptors.push_back(number);
  helper.words.erase(helper.words.begin());
  return helper;
}

}  // namespace

void Helper::say_begun() {
  if (answer < 0) return;
  const ssize_t written = base::uninterrupted([&] { return ::write(answer, "", 1); });
  if (written != 1) ::_exit(1);
  ::close(std::exchange(answer, -1));
}

HelperResult start_helper(const HelperKind& kind, Helper helper) {
  HelperResult result;
  for (const auto way : {execute, fork_off}) {
    DescriptorPair answer = pipe_pair();
    helper.answer = answer.second.get();
    const pid_t pid = way(kind, helper);
    result.error = errno;
    if (pid < 0) continue;
    answer.second.reset();
    result = hear(kind, answer.first, pid);
    if (result.begun || result.killed_by != 0) break;
  }
  return result;
}

void serve_as_helper(int argc, char** argv, std::initializer_list<HelperKind> kinds,
                     OperationName operation_name) {
  for (const HelperKind& kind : kinds) {
    auto helper = received(kind, argc, argv);
    if (!helper) continue;
    helper->operation_name = operation_name;
    be_helper(kind, *helper, Image::executed);
  }
}

}  // namespace tutti::launch

// SPDX-License-Identifier: BSD-3-Clause
// Finds and makes the folder of job sockets. Where another user has taken its name, processes that
// make a substitute at the same time must end with the same one.
#include "launch/socket_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "base/descriptor.hpp"
#include "base/environment.hpp"
#include "base/error.hpp"

namespace tutti::launch {
namespace {

constexpr const char* common_folder = "/tmp";
constexpr mode_t mine_alone = 0700;
// The mode of a folder that its maker has not chosen yet. Until then nobody uses it.
constexpr mode_t candidate_mode = 0400;

std::string folder_of_user() {
  return fmt::format("{}/tutti-{}", common_folder, ::geteuid());
}

enum class Folder { missing, foreign, candidate, open_to_others, safe };

Folder look_at(const std::string& folder) {
  struct stat status {};
  if (::lstat(folder.c_str(), &status) != 0) {
    const bool nothing_for_us = errno == ENOENT || errno == ENOTDIR || errno == EACCES;
    if (!nothing_for_us) base::fail_errno("looking at the folder " + folder);
    return Folder::missing;
  }
  if (!S_ISDIR(status.st_mode) || status.st_uid != ::geteuid()) return Folder::foreign;
  const mode_t mode = status.st_mode & 0777;
  if (mode == candidate_mode) return Folder::candidate;
  return mode == mine_alone ? Folder::safe : Folder::open_to_others;
}

void require_safe(const std::string& folder) {
  const Folder found = look_at(folder);
  if (found == Folder::safe) return;
  if (found == Folder::missing) base::fail_errno("looking at the folder " + folder);
  base::fail(
      base::Status::system_error,
      "'{}' must be a folder that belongs to this user and that nobody else can enter (mode 0700)",
      folder);
}

// Calls visit(path, folder) for this user's folders whose names are those of substitutes. The names
// end with characters that nobody can foresee, so the folders are found by their owner.
template <class Visit>
void for_each_substitute(const Visit& visit) {
  std::error_code error;
  const std::string beginning = folder_of_user() + "-";
  for (std::filesystem::directory_iterator entry(common_folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string path = entry->path().string();
    if (path.starts_with(beginning)) visit(path, look_at(path));
  }
}

// Returns the chosen folder. An older version of tutti may have left several: all processes then
// take the same.
std::optional<std::string> substitute_folder() {
  std::optional<std::string> chosen;
  for_each_substitute([&](const std::string& path, Folder found) {
    if (found == Folder::safe && (!chosen || path < *chosen)) chosen = path;
  });
  return chosen;
}

// Returns the folder, opened and locked; an invalid descriptor if another process has locked or
// removed it.
Descriptor locked_folder(const std::string& path) {
  Descriptor folder(
      base::raised(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)));
  const bool locked = folder.valid() && ::flock(folder.get(), LOCK_EX | LOCK_NB) == 0;
  return locked && is_at(folder, path) ? std::move(folder) : Descriptor();
}

std::string unforeseeable_name() {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != sizeof number)
    base::fail_errno("a random name for a folder");
  return fmt::format("{}-{:016x}", folder_of_user(), number);
}

// The candidates of other processes, whose makers hold a lock on them.
struct Others {
  bool before = false, behind = false;  // in the order of names
};

// Removes candidates whose makers have ended.
Others other_candidates(const std::string& own) {
  Others others;
  for_each_substitute([&](const std::string& path, Folder found) {
    if (found != Folder::candidate || path == own) return;
    if (const Descriptor abandoned = locked_folder(path); abandoned.valid()) {
      // Failure is harmless: the next process tries again.
      ::rmdir(path.c_str());
    } else {
      (path < own ? others.before : others.behind) = true;
    }
  });
  return others;
}

// Chooses a candidate unless another process has chosen one, or may choose one of a smaller name. A
// process that sees only greater ones waits until they are gone. Two processes never
// miss each other, because each makes its candidate before it looks for others.
bool choose(const Descriptor& candidate, const std::string& path) {
  for (;;) {
    const Others others = other_candidates(path);
    if (substitute_folder() || others.before) return false;
    if (!others.behind) break;
    ::poll(nullptr, 0, 1);
  }
  if (::fchmod(candidate.get(), mine_alone) != 0) base::fail_errno("making " + path);
  return true;
}

std::string made_substitute() {
  for (;;) {
    if (auto chosen = substitute_folder()) return *chosen;
    const std::string path = unforeseeable_name();
    if (::mkdir(path.c_str(), candidate_mode) != 0) base::fail_errno("making the folder " + path);
    const Descriptor candidate = locked_folder(path);
    if (candidate.valid()) {
      if (choose(candidate, path)) return path;
      // Failure is harmless: the next process finds the folder without a lock, and tries again.
      ::rmdir(path.c_str());
    }
    ::poll(nullptr, 0, 1);
  }
}

}  // namespace

// A substitute goes on to serve this user when the other one has removed what was in its way,
// because a job may listen there.
std::string job_socket_folder() {
  if (const auto runtime = base::runtime_folder()) return *runtime + "/tutti";
  std::string usual = folder_of_user();
  const Folder found = look_at(usual);
  if (found != Folder::missing && found != Folder::foreign) return usual;
  return substitute_folder().value_or(std::move(usual));
}

std::optional<std::string> existing_socket_folder(UnsafeFolder unsafe) {
  std::string folder = job_socket_folder();
  const Folder found = look_at(folder);
  if (found == Folder::missing || (found == Folder::foreign && !base::runtime_folder()) ||
      (found != Folder::safe && unsafe == UnsafeFolder::has_nobody))
    return std::nullopt;
  require_safe(folder);
  return folder;
}

std::string made_socket_folder() {
  std::string folder = job_socket_folder();
  if (look_at(folder) == Folder::foreign && !base::runtime_folder()) folder = made_substitute();
  if (::mkdir(folder.c_str(), mine_alone) != 0 && errno != EEXIST)
    base::fail_errno("making the folder " + folder);
  require_safe(folder);
  return folder;
}

bool is_at(const Descriptor& file, const std::string& path) {
  struct stat own {
  }, shown{};
  return ::fstat(file.get(), &own) == 0 && ::lstat(path.c_str(), &shown) == 0 &&
         own.st_dev == shown.st_dev && own.st_ino == shown.st_ino;
}

}  // namespace tutti::launch

// SPDX-License-Identifier: BSD-3-Clause
// Walks over /proc. It uses the parent column, not task/*/children, because some kernels are built
// without the latter.
#include "launch/descendants.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>

#include "base/error.hpp"
#include "launch/descriptor.hpp"

namespace tutti::launch {
namespace {

struct Process {
  pid_t pid;
  pid_t parent;
};

// Parses "pid (name) state parent ...". The name may contain blanks and parentheses, so the search
// for its end starts from the right.
bool read_process(const char* name, Process& process) {
  std::array<char, 64> path{};
  std::snprintf(path.data(), path.size(), "/proc/%.20s/stat", name);
  const Descriptor file(base::raised(::open(path.data(), O_RDONLY | O_CLOEXEC)));
  std::array<char, 512> text{};
  if (!file.valid() || ::read(file.get(), text.data(), text.size() - 1) <= 0) return false;
  const char* rest = std::strrchr(text.data(), ')');
  char state = 0;
  int parent = 0;
  if (rest == nullptr || std::sscanf(rest + 1, " %c %d", &state, &parent) != 2 || state == 'Z' ||
      state == 'X') {
    return false;
  }
  process = {static_cast<pid_t>(std::atoi(name)), parent};
  return true;
}

DIR* open_folder(const char* path) {
  const int descriptor = base::raised(::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  DIR* const folder = descriptor < 0 ? nullptr : ::fdopendir(descriptor);
  if (folder == nullptr && descriptor >= 0) ::close(descriptor);
  return folder;
}

std::vector<Process> all_processes() {
  std::vector<Process> found;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(open_folder("/proc"), ::closedir);
  if (folder == nullptr) return found;
  while (const dirent* entry = ::readdir(folder.get())) {
    Process process{};
    if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9' &&
        read_process(entry->d_name, process)) {
      found.push_back(process);
    }
  }
  return found;
}

}  // namespace

bool proc_is_ours() {
  std::array<char, 32> self{};
  const auto length = ::readlink("/proc/self", self.data(), self.size() - 1);
  return length > 0 && std::atoi(self.data()) == ::getpid();
}

std::optional<std::vector<pid_t>> descendants() {
  if (!proc_is_ours()) return std::nullopt;
  const auto processes = all_processes();
  std::set<pid_t> family{::getpid()};
  std::vector<pid_t> found;
  // Pids are not in order of age, because they wrap around. So repeat until a pass adds nobody.
  for (bool grown = true; grown;) {
    grown = false;
    for (const auto& process : processes) {
      if (family.contains(process.parent) && family.insert(process.pid).second) {
        found.push_back(process.pid);
        grown = true;
      }
    }
  }
  return found;
}

void adopt_orphans() {
  if (::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
    base::fail_errno("adopting processes whose parents have ended (prctl)");
}

}  // namespace tutti::launch

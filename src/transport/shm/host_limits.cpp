// SPDX-License-Identifier: BSD-3-Clause
// Finds the processors and the memory that this machine or container lets a job use: from the
// affinity mask, the control groups of either version, and /proc/meminfo. A file that is absent or
// unreadable sets no limit. The functions are declared in mapping.hpp.
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "transport/shm/mapping.hpp"

namespace tutti::transport::shm {
namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

struct ControlGroup {
  enum class Version { one, two };
  Version version;
  std::string mount;  // folder of its files
  std::string path;   // this process's group below `mount`
};

bool names_controller(const std::string& list, const std::string& controller) {
  std::istringstream stream(list);
  for (std::string name; std::getline(stream, name, ',');) {
    if (name == controller) return true;
  }
  return false;
}

// Parses /proc/self/cgroup, whose lines are id:controllers:path. Id 0 is version 2.
std::vector<ControlGroup> control_groups(const std::string& controller) {
  std::vector<ControlGroup> found;
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (line.compare(0, first, "0") == 0) {
      found.push_back({ControlGroup::Version::two, "/sys/fs/cgroup", path});
      found.push_back({ControlGroup::Version::two, "/sys/fs/cgroup/unified", path});
    } else if (names_controller(controllers, controller)) {
      found.push_back({ControlGroup::Version::one, "/sys/fs/cgroup/" + controllers, path});
      found.push_back({ControlGroup::Version::one, "/sys/fs/cgroup/" + controller, path});
    }
  }
  return found;
}

// The folders from the process's own group up to the mount, each of which may have a limit. In a
// container the path may be the host's. Then only the mount itself exists, which comes last.
std::vector<std::string> folders(const ControlGroup& group) {
  std::vector<std::string> all;
  for (std::string path = group.path; path.size() > 1; path.erase(path.rfind('/')))
    all.push_back(group.mount + path);
  all.push_back(group.mount);
  return all;
}

double number_in(const std::string& file) {
  double value = no_limit;
  std::ifstream stream(file);
  return stream >> value ? value : no_limit;  // "max" is no number
}

double cpu_limit(const ControlGroup& group, const std::string& folder) {
  if (group.version == ControlGroup::Version::two) {
    std::ifstream stream(folder + "/cpu.max");
    double quota = 0;
    double period = 0;
    return stream >> quota >> period && period > 0 ? quota / period : no_limit;
  }
  const double quota = number_in(folder + "/cpu.cfs_quota_us");
  const double period = number_in(folder + "/cpu.cfs_period_us");
  return quota > 0 && quota < no_limit && period > 0 && period < no_limit ? quota / period
                                                                          : no_limit;
}

// The control group with the lowest limit of processors.
struct Quota {
  double cpus = no_limit;
  ControlGroup::Version version = ControlGroup::Version::one;
  std::string folder{};  // empty: no group sets one
};

Quota smallest_quota() {
  Quota least;
  for (const auto& group : control_groups("cpu")) {
    for (const auto& folder : folders(group)) {
      const double cpus = cpu_limit(group, folder);
      if (cpus < least.cpus) least = {cpus, group.version, folder};
    }
  }
  return least;
}

std::uint32_t affinity_count() {
  return static_cast<std::uint32_t>(std::max<std::size_t>(own_processors().size(), 1));
}

// Returns the number behind a word in a file of words and numbers.
double number_behind(const std::string& name, const std::string& file) {
  std::ifstream stream(file);
  double number = 0;
  for (std::string word; stream >> word;) {
    if (word == name) return stream >> number ? number : no_limit;
  }
  return no_limit;
}

double memory_available() {
  const double kibibytes = number_behind("MemAvailable:", "/proc/meminfo");
  return kibibytes * 1024;
}

}  // namespace

std::uint32_t cpu_quota() {
  constexpr double most = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::clamp(std::floor(smallest_quota().cpus), 1.0, most));
}

std::optional<double> seconds_of_quota() {
  const Quota quota = smallest_quota();
  if (quota.folder.empty()) return std::nullopt;
  const double seconds = quota.version == ControlGroup::Version::two
                             ? 1e-6 * number_behind("usage_usec", quota.folder + "/cpu.stat")
                             : 1e-9 * number_in(quota.folder + "/cpuacct.usage");
  return seconds < no_limit ? std::optional(seconds) : std::nullopt;
}

std::vector<int> own_processors() {
  std::vector<int> numbers;
  // A machine may have more processors than the set has bits. Then the call fails, and a larger set
  // is tried.
  bool done = false;
  for (int most = 1024; !done && most <= (1 << 20); most *= 2) {
    cpu_set_t* set = CPU_ALLOC(most);
    const std::size_t bytes = CPU_ALLOC_SIZE(most);
    done = set != nullptr && ::sched_getaffinity(0, bytes, set) == 0;
    for (int number = 0; done && number < most; ++number) {
      if (CPU_ISSET_S(number, bytes, set)) numbers.push_back(number);
    }
    CPU_FREE(set);
  }
  return numbers;
}

std::uint32_t usable_cpus() {
  return std::min(affinity_count(), cpu_quota());
}

std::uint32_t suitable_arena_bytes() {
  constexpr long least = 2L << 20, most = most_arena_bytes;
  long cache = 0;  // stays 0 where it is not known
#ifdef _SC_LEVEL2_CACHE_SIZE
  cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
  return static_cast<std::uint32_t>(std::clamp(2 * cache, least, most));
}

void add_processors(SegmentHeader& header) {
  constexpr int word_bits = 64;
  const std::vector<int> own = own_processors();
  std::array<std::uint64_t, processor_words> bits{};
  for (const int number : own) {
    const auto word = static_cast<std::size_t>(number / word_bits);
    if (word < bits.size()) bits[word] |= std::uint64_t{1} << (number % word_bits);
  }
  std::uint32_t count = 0;
  for (std::size_t word = 0; word < bits.size(); ++word) {
    const std::uint64_t all = header.processors[word].fetch_or(bits[word]) | bits[word];
    count += static_cast<std::uint32_t>(std::popcount(all));
  }
  // Processors with higher numbers than the set holds count for this process only.
  count = std::min(std::max(count, static_cast<std::uint32_t>(own.size())), header.quota);
  std::uint32_t seen = header.cpus.load();
  while (seen < count && !header.cpus.compare_exchange_weak(seen, count)) {
  }
}

std::int64_t default_memory_limit() {
  double bytes = memory_available();
  for (const auto& group : control_groups("memory")) {
    const char* file =
        group.version == ControlGroup::Version::two ? "/memory.max" : "/memory.limit_in_bytes";
    for (const auto& folder : folders(group)) bytes = std::min(bytes, number_in(folder + file));
  }
  constexpr double fallback = 1 << 30;  // a modest guess if nothing is readable
  return static_cast<std::int64_t>((bytes < no_limit ? bytes : fallback) / 2);
}

}  // namespace tutti::transport::shm

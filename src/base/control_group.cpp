// SPDX-License-Identifier: BSD-3-Clause
// Parses /proc/self/cgroup and the files of control groups.
#include "base/control_group.hpp"

#include <sstream>

#include "base/input_file.hpp"

namespace tutti::base {
namespace {

bool names_controller(const std::string& list, const std::string& controller) {
  std::istringstream stream(list);
  for (std::string name; std::getline(stream, name, ',');) {
    if (name == controller) return true;
  }
  return false;
}

}  // namespace

// Parses /proc/self/cgroup, whose lines are id:controllers:path. Id 0 is version 2.
std::vector<ControlGroup> control_groups(const std::string& controller) {
  std::vector<ControlGroup> found;
  InputFile file("/proc/self/cgroup");
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

std::vector<std::string> folders(const ControlGroup& group) {
  std::vector<std::string> all;
  for (std::string path = group.path; path.size() > 1; path.erase(path.rfind('/')))
    all.push_back(group.mount + path);
  all.push_back(group.mount);
  return all;
}

std::int64_t default_memory_limit() {
  constexpr double kibibyte = 1024, fallback = 1 << 30;  // a modest guess if nothing is readable
  double bytes = kibibyte * number_behind("MemAvailable:", "/proc/meminfo");
  for (const ControlGroup& group : control_groups("memory")) {
    const bool second = group.version == ControlGroup::Version::two;
    for (const std::string& folder : folders(group))
      bytes = std::min(
          bytes, number_in_file(folder + (second ? "/memory.max" : "/memory.limit_in_bytes")));
  }
  return static_cast<std::int64_t>((bytes < no_limit ? bytes : fallback) / 2);
}

double number_in_file(const std::string& file) {
  double value = no_limit;
  InputFile stream(file);
  return stream >> value ? value : no_limit;  // "max" is no number
}

double number_behind(const std::string& wanted, const std::string& file) {
  InputFile stream(file);
  double number = 0;
  for (std::string word; stream >> word;) {
    if (word == wanted) return stream >> number ? number : no_limit;
  }
  return no_limit;
}

}  // namespace tutti::base

// SPDX-License-Identifier: BSD-3-Clause
// Finds the control groups of this process, of either version, and reads their files. A file that
// is absent or unreadable sets no limit.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace tutti::base {

inline constexpr double no_limit = std::numeric_limits<double>::infinity();

struct ControlGroup {
  enum class Version { one, two };
  Version version;
  std::string mount;  // folder of its files
  std::string path;   // this process's group below `mount`
};

// Returns where the groups of this process for a controller, such as "cpu", may be. Some of them
// may not exist.
[[nodiscard]] std::vector<ControlGroup> control_groups(const std::string& controller);
// Returns the folders from the process's own group up to the mount, each of which may have a limit.
// In a container the path may be the host's. Then only the mount itself exists, which comes last.
[[nodiscard]] std::vector<std::string> folders(const ControlGroup& group);

// Returns the number in a file; no_limit if there is none.
[[nodiscard]] double number_in_file(const std::string& file);
// Returns the number behind a word in a file of words and numbers; no_limit if there is none.
[[nodiscard]] double number_behind(const std::string& word, const std::string& file);

// Returns the bytes of memory that a job may take if nobody says how many: half of the smallest of
// v2 memory.max, v1 memory.limit_in_bytes and MemAvailable.
[[nodiscard]] std::int64_t default_memory_limit();

}  // namespace tutti::base

// SPDX-License-Identifier: BSD-3-Clause
// Algorithms that are files: file:PATH names the schedule in a file, or the schedules of several
// numbers of ranks in a folder. It may stand wherever the name of an algorithm does.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schedule/generator.hpp"

namespace tutti::algorithms {

inline constexpr std::string_view file_prefix = "file:";
[[nodiscard]] inline bool names_file(std::string_view name) {
  return name.starts_with(file_prefix);
}

// Returns the algorithm of the operation that the file holds; null if it holds none. The file is
// read and proved once. Throws Error(invalid_argument).
[[nodiscard]] const schedule::Generator* from_file(schedule::Operation operation,
                                                   std::string_view name);

// Returns the name that the schedule of standard input gives itself, or else "schedule"; empty for
// every other generator, for which a reader can give its name again.
[[nodiscard]] std::string own_name(const schedule::Generator& generator);

// The shapes for which a file has schedules; for any root, the root of its own.
struct FileShape {
  schedule::Operation operation;
  int p;
  int root;
};
[[nodiscard]] std::vector<FileShape> shapes_in_file(std::string_view name);

// Returns the operations that the file has schedules for, as words: "allreduce, broadcast".
[[nodiscard]] std::string operations_in_file(std::string_view name);

}  // namespace tutti::algorithms

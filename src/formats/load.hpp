// SPDX-License-Identifier: BSD-3-Clause
// Reads schedules from disk and proves them. Nothing else opens files of schedules, so no schedule
// is used that nobody has proved.
#pragma once

#include <string>
#include <vector>

#include "formats/limits.hpp"
#include "formats/program_file.hpp"
#include "schedule/memory.hpp"

namespace tutti::formats {

// Returns the whole file; "-" is the standard input. Throws Error(invalid_argument) if it cannot be
// read, or is longer than the limit.
[[nodiscard]] std::string contents_of(const std::string& path, std::int64_t most = most_file_bytes);

// Returns the path, or the files of schedules in the folder, by name. Throws
// Error(invalid_argument) if there are none.
[[nodiscard]] std::vector<std::string> schedule_files(const std::string& path);

// Reads the schedule in the text, in any format that can be executed. Nobody has proved it yet.
[[nodiscard]] ProgramFile schedule_in(const std::string& text, const std::string& file);

// Reads the schedule in a file, and tells on stderr what it passes over, once in a job.
[[nodiscard]] ProgramFile schedule_at(const std::string& path);

// Tells what is wrong with a schedule, or with what its file claims; empty if nothing is. The round
// is counted from 1; 0 and -1 mean that the problem belongs to no round or no rank.
struct Refutation {
  std::string problem{};
  int round = 0;
  int rank = -1;
  schedule::Placement placement = schedule::Placement::separate;
};
// A schedule that was found right is remembered, and not proved again by this version of tutti.
[[nodiscard]] Refutation refutation(const ProgramFile& file);

// Reads and proves a file, or each file of a folder. Throws Error(invalid_argument) that names the
// file and what is wrong: the counter-example of the verifier.
[[nodiscard]] std::vector<Schedule> proved_schedules(const std::string& path);

}  // namespace tutti::formats

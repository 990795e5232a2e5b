// SPDX-License-Identifier: BSD-3-Clause
// Schedules as JSON, the format of tutti itself. tutti-program(5) describes it, and so does
// tutti-program-1.schema.json.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/schedule.hpp"

namespace tutti::formats {

// Properties that a file claims. They are compared with the verdict and never believed.
struct Claims {
  std::optional<bool> rank_order, same_tree;
};

struct ProgramFile {
  Schedule schedule;
  Claims claims;
  std::vector<std::string> notes{};  // sentences on what was passed over, with their lines
};

// Reads a file. Throws Error(invalid_argument) that names the file, the line and the limit or the
// rule. The schedule keeps the limits of limits.hpp, names only ranks and blocks that exist, and
// writes no input. Nobody has proved yet that it gives the result (check.hpp).
[[nodiscard]] ProgramFile read_program(std::string_view text, std::string_view file);

// Returns the file; read_program() gives equal Programs.
[[nodiscard]] std::string program_text(const Schedule& schedule);

// Returns a hash of what the schedule does: 64 digits. It depends on neither the name nor the note.
[[nodiscard]] std::string hash_of(const Schedule& schedule);

}  // namespace tutti::formats

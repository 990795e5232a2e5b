// SPDX-License-Identifier: BSD-3-Clause
// Questions for a plan as text. In a job in virtual time, all ranks ask one process, because a
// choice on a large network takes long: it counts the messages of many plans on the links.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "selection/alternatives.hpp"

namespace tutti::selection {

// Writes a question about ranks of one host, and the bytes of its vector.
[[nodiscard]] std::string question_text(const Question& question, std::int64_t bytes);
// Reads what question_text() has written. Throws Error(invalid_argument).
[[nodiscard]] std::pair<Question, std::int64_t> parse_question(const std::string& text);

}  // namespace tutti::selection

// SPDX-License-Identifier: BSD-3-Clause
// Explains why a program could not be started, and what to do about it. The supervisor uses it.
#pragma once

#include <string>

#include "launch/process.hpp"

namespace tutti::launch {

// Returns a text such as "cannot run './prog': ...". `rank_text`, such as " as rank 2", follows the
// name.
[[nodiscard]] std::string refusal_text(const StartResult& result, const std::string& executable,
                                       const Setting& setting, const std::string& rank_text);

// Returns 127 if there is no such program, and 126 if it is there but cannot be run. Shells do the
// same.
[[nodiscard]] int refusal_code(const StartResult& result);

}  // namespace tutti::launch

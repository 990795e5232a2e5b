// SPDX-License-Identifier: BSD-3-Clause
// Why a program could not be started, in words that say what to do.
#pragma once

#include <string>

#include "launch/process.hpp"

namespace tutti::launch {

// "cannot run './prog': ..."; `rank_text` such as " as rank 2" follows the name.
[[nodiscard]] std::string refusal_text(const StartResult& result, const std::string& executable,
                                       const Setting& setting, const std::string& rank_text);

// 127: there is no such program; 126: it is there, but cannot be run. So do shells.
[[nodiscard]] int refusal_code(const StartResult& result);

}  // namespace tutti::launch

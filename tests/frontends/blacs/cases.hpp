// SPDX-License-Identifier: BSD-3-Clause
// The cases of blacs_errors by name, and those in levels.cpp.
#pragma once

#include <functional>
#include <map>
#include <string>

using Cases = std::map<std::string, std::function<void()>>;

const Cases& debug_level_cases();

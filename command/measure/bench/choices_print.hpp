// SPDX-License-Identifier: BSD-3-Clause
// Declares how results of `tutti bench --choices` are printed, as a table for people and as JSON
// for programs.
#pragma once

#include <string>

#include "bench/choices.hpp"

namespace tutti::tools {

[[nodiscard]] std::string choices_table(const ChoiceReport& report);
[[nodiscard]] std::string choices_json(const ChoiceReport& report);

}  // namespace tutti::tools

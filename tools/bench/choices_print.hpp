// SPDX-License-Identifier: BSD-3-Clause
// Results of `tutti bench --choices` for people and for programs.
#pragma once

#include <string>

#include "bench/choices.hpp"

namespace tutti::tools {

[[nodiscard]] std::string choices_table(const ChoiceReport& report);
[[nodiscard]] std::string choices_json(const ChoiceReport& report);

}  // namespace tutti::tools

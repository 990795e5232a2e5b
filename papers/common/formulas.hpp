// SPDX-License-Identifier: BSD-3-Clause
// Evaluates formulas that papers print. They are written like the `Cost:` lines of algorithms
// (selection/formula.hpp).
#pragma once

#include <string>

#include "papers/common/result.hpp"
#include "schedule/counts.hpp"
#include "selection/formula.hpp"

namespace tutti::papers {

// Evaluates a formula in T_c, T_o and T_s.
[[nodiscard]] schedule::Time time_by(const std::string& formulas, const char* name,
                                     const selection::Variables& variables);
// Evaluates a formula that gives a number.
[[nodiscard]] double number_by(const std::string& formulas, const char* name,
                               const selection::Variables& variables);

}  // namespace tutti::papers

// SPDX-License-Identifier: BSD-3-Clause
// Formulas that papers print, evaluated. They are written like the `Cost:` lines of algorithms
// (selection/formula.hpp).
#pragma once

#include <string>

#include "papers/result.hpp"
#include "schedule/counts.hpp"
#include "selection/formula.hpp"

namespace tutti::papers {

// A formula for T_c, T_o and T_s.
[[nodiscard]] schedule::Time time_by(const std::string& formulas, const char* name,
                                     const selection::Variables& variables);
// A formula for a number.
[[nodiscard]] double number_by(const std::string& formulas, const char* name,
                               const selection::Variables& variables);

}  // namespace tutti::papers

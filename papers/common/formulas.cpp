// SPDX-License-Identifier: BSD-3-Clause
// Evaluates the papers' formulas with the evaluator of selection/formula.hpp.
#include "papers/common/formulas.hpp"

namespace tutti::papers {

schedule::Time time_by(const std::string& formulas, const char* name,
                       const selection::Variables& variables) {
  const selection::Quantity found = selection::CostFormulas(formulas).evaluate(name, variables);
  return {static_cast<int>(found.complete), static_cast<int>(found.operation),
          static_cast<int>(found.send)};
}

double number_by(const std::string& formulas, const char* name,
                 const selection::Variables& variables) {
  return static_cast<double>(selection::CostFormulas(formulas).evaluate(name, variables).number);
}

}  // namespace tutti::papers

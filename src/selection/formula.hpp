// SPDX-License-Identifier: BSD-3-Clause
// The formulas of `Cost:` lines, which headers.cpp and the tests evaluate. A line has the form
//   Cost: name formula; name <= formula; ...; where name = formula; ...
// Formulas have integers, the operators +, - and *, comparisons, the units Tc, To, Ts, functions,
// and names. Names are p, Nb (branches), Nr (rings), K (segments), k (factors), cut, i (the round),
// definitions, and other costs. A cost given with <= is a bound that some shape must reach.
//
// Functions of numbers are ceil_log2, floor_log2, ceil_log(base, n), pow, min, max, floor_div,
// ceil_div and mod. Factor j of 0..k-1 is f(j). Only one end of if(condition, then, else) is
// evaluated. The functions sum(j, first, last, term) and product(j, first, last, term) are meant
// for the digits of p and for factors, not for rounds.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/generator.hpp"

namespace tutti::selection {

// A number, or a time as a combination of Tc, To, Ts. Quantities are ordered as Time is in
// schedule/counts.hpp.
struct Quantity {
  std::int64_t complete = 0, operation = 0, send = 0, number = 0;
  friend auto operator<=>(const Quantity&, const Quantity&) = default;
};
std::string to_text(const Quantity& quantity);

struct Formula {
  std::string text;
  bool bound = false;
};

using Variables = std::map<std::string, std::int64_t>;
// Returns the names that formulas may use, with their values for this shape: p, Nb, Nr, K, cut, k,
// and the size of factor j as "f<j>".
Variables variables_of(const schedule::Shape& shape);

// All formulas of one `Cost:` line.
class CostFormulas {
 public:
  explicit CostFormulas(std::string_view line);

  const std::map<std::string, Formula>& given() const { return given_; }
  // Returns the value of a cost. Throws std::runtime_error with the reason if a formula cannot be
  // understood.
  Quantity evaluate(const std::string& name, const Variables& variables) const;

 private:
  friend class Evaluation;
  std::map<std::string, Formula> given_;
  std::map<std::string, std::string> definitions_;
};

}  // namespace tutti::selection

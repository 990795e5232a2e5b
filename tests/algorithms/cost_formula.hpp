// SPDX-License-Identifier: BSD-3-Clause
// The formulas of `Cost:` lines. `Cost: name formula; name <= formula; ...; where name = formula; ...` with integers,
// + - *, the units Tc, To, Ts, names (p, Nb branches, Nr rings, i round, definitions, other costs) and the functions
// below. A cost given with <= is a bound that must be reached by some shape.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::cost {

// A number, or a time as a combination of Tc, To, Ts; ordered as Time of schedule/counts.hpp.
struct Quantity {
  std::int64_t complete = 0, operation = 0, send = 0, number = 0;
  friend auto operator<=>(const Quantity&, const Quantity&) = default;
};
std::string to_text(const Quantity& quantity);

struct Formula {
  std::string text;
  bool bound = false;
};

// All that a `Cost:` line says.
class Costs {
 public:
  explicit Costs(std::string_view line);

  const std::map<std::string, Formula>& given() const { return given_; }
  // Throws std::runtime_error with the reason if a formula cannot be understood.
  Quantity evaluate(const std::string& name, const std::map<std::string, std::int64_t>& variables) const;

 private:
  friend class Evaluation;
  std::map<std::string, Formula> given_;
  std::map<std::string, std::string> definitions_;
};

}  // namespace tutti::cost

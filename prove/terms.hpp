// SPDX-License-Identifier: BSD-3-Clause
// Terms of z3 behind the Ints of the prover.
#pragma once

#include <z3++.h>

#include <cstdint>

#include "schedule/int.hpp"

namespace tutti::prove {

using schedule::Int;
using schedule::TermPointer;
using schedule::Truth;

struct Term {
  z3::expr expression;
};

z3::context& context();

[[nodiscard]] z3::expr expression_of(const Int& a);
[[nodiscard]] z3::expr expression_of(const Truth& a);
// Return simplified terms; a term that is a number or a truth value becomes one.
[[nodiscard]] Int int_of(std::int64_t number, const z3::expr& expression);
[[nodiscard]] Truth truth_of(bool value, const z3::expr& expression);

// These three do not ask the path for an answer.
[[nodiscard]] Truth both(const Truth& a, const Truth& b);
[[nodiscard]] Truth either(const Truth& a, const Truth& b);
[[nodiscard]] Truth negated(const Truth& a);
[[nodiscard]] Int if_else(const Truth& condition, const Int& a, const Int& b);

}  // namespace tutti::prove

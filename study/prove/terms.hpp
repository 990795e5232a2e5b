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

// Returns an Int that nothing can be computed from: what asks for its expression stops the proof.
[[nodiscard]] Int unreadable();
[[nodiscard]] z3::expr expression_of(const Int& a);
[[nodiscard]] z3::expr expression_of(const Truth& a);
// Return simplified terms; a term that is a number or a truth value becomes one.
[[nodiscard]] Int int_of(std::int64_t number, const z3::expr& expression);
// Returns the result of an operator of C++, and keeps it if numbers.cpp collects them.
Int noted(Int result);
[[nodiscard]] Truth truth_of(bool value, const z3::expr& expression);

// Returns true if both are the same number or the same term. Simplified terms that are equal
// because of what they are mostly are the same.
[[nodiscard]] bool is_same(const Int& a, const Int& b);

// While one of these lives, terms are left as they are made. Most of the time of a proof would go
// into simplifying facts that nobody asks about.
class Unsimplified {
 public:
  Unsimplified();
  ~Unsimplified();
  Unsimplified(const Unsimplified&) = delete;
  Unsimplified& operator=(const Unsimplified&) = delete;
};

// These three do not ask the path for an answer.
[[nodiscard]] Truth both(const Truth& a, const Truth& b);
[[nodiscard]] Truth either(const Truth& a, const Truth& b);
[[nodiscard]] Truth negated(const Truth& a);
[[nodiscard]] Int if_else(const Truth& condition, const Int& a, const Int& b);

}  // namespace tutti::prove

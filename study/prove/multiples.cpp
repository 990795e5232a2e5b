// SPDX-License-Identifier: BSD-3-Clause
// Multiples of powers of two. For an unknown exponent, factor * 2^exponent is not linear. So it is
// an unknown of which a few linear facts are known: different multiples of a power differ by the
// power at least. low() takes multiples out of sums, because they do not change a remainder.
#include <algorithm>

#include "path.hpp"

namespace tutti::prove {
namespace {

using schedule::all;
using schedule::implies;

std::int64_t power_number(const Int& exponent) {
  return std::int64_t{1} << (exponent.number() & 31);
}

bool is_application(const z3::expr& term, Z3_decl_kind of) {
  return term.is_app() && term.decl().decl_kind() == of;
}

}  // namespace

// Returns the term with its number.
Int Path::numbered(const z3::expr& term) const {
  std::int64_t number = 0;
  z3::expr copy = term;
  if (numbers_) copy.substitute(constants_, values_).simplify().is_numeral_i64(number);
  return int_of(number, term);
}

// z3 has simplified the sum, so numbers come first in its products.
std::vector<Path::Addend> Path::addends_of(const Int& x) const {
  std::vector<Addend> addends;
  const z3::expr whole = expression_of(x);
  const bool is_sum = is_application(whole, Z3_OP_ADD);
  for (unsigned i = 0; i < (is_sum ? whole.num_args() : 1); ++i) {
    const z3::expr one = is_sum ? whole.arg(i) : whole;
    std::int64_t factor = 1;
    const bool is_product = is_application(one, Z3_OP_MUL) && one.num_args() == 2 &&
                            one.arg(0).is_numeral() && one.arg(0).is_numeral_i64(factor);
    addends.push_back({{factor, nullptr}, numbered(is_product ? one.arg(1) : one)});
  }
  return addends;
}

void Path::relate(const Domain& domain, const Multiple& a, const Multiple& b) {
  const Int size = power_of_two(a.exponent);
  const Unsimplified facts;
  const Truth same = a.exponent == b.exponent;
  learn(domain, implies(all({same, a.factor == b.factor}), a.value == b.value));
  learn(domain, implies(all({same, a.factor < b.factor}), a.value + size <= b.value));
  learn(domain, implies(all({same, b.factor < a.factor}), b.value + size <= a.value));
}

Int Path::multiple(const Int& factor, const Int& exponent) {
  const Domain domain = shift_by(exponent);
  const Int size = power_of_two(exponent);
  for (const Multiple& other : multiples_) {
    // All multiples of two powers that follow each other are those of the smaller one.
    if (is_same(other.exponent + 1, exponent)) return 2 * multiple(factor, other.exponent);
    if (is_same(other.factor, factor) && is_same(other.exponent, exponent)) return other.value;
  }
  const Multiple made{factor, exponent, unknown("*", factor.number() * power_number(exponent))};
  relate(domain, made, {0, exponent, 0});
  relate(domain, made, {1, exponent, size});
  for (const Multiple& other : multiples_) relate(domain, made, other);
  multiples_.push_back(made);
  return made.value;
}

Int Path::quotient(const Int& x, const Int& exponent) {
  for (const Multiple& other : quotients_)
    if (is_same(other.value, x) && is_same(other.exponent, exponent)) return other.factor;
  const Domain domain = shift_by(exponent);
  const Int factor = unknown("/", x.number() >> (exponent.number() & 31));
  const Int rest = low(x, exponent);
  learn(domain, multiple(factor, exponent) == x - rest);
  quotients_.push_back({factor, exponent, x});
  return factor;
}

// Returns true if coefficient * unknown is a multiple of 2^exponent because of what it is.
bool Path::is_multiple(const Int& coefficient, const Int& unknown, const Int& exponent) const {
  const Int missing = coefficient.number() % 2 == 0 ? 1 : 0;  // an even coefficient has a power
  const auto reaches = [&](const Int& other) {
    const Truth answer = other + missing >= exponent;
    return answer.is_value() && answer.value();
  };
  return std::any_of(
             multiples_.begin(), multiples_.end(),
             [&](const Multiple& m) { return is_same(m.value, unknown) && reaches(m.exponent); }) ||
         std::any_of(powers_.begin(), powers_.end(), [&](const Power& power) {
           return is_same(power.value, unknown) && reaches(power.exponent);
         });
}

bool Path::is_low(const Int& unknown) const {
  return std::any_of(lows_.begin(), lows_.end(),
                     [&](const Low& low) { return is_same(low.value, unknown); });
}

// Says of the remainder of a sum what it is without multiples of the power, and of which remainder
// of the other addends it is the sum with the remainders among them, up to a few powers.
void Path::reduce(const Low& made) {
  if (made.number.is_number()) return;
  Int rest = made.number, remainders = 0;
  bool is_reduced = false;
  for (const Addend& addend : addends_of(made.number)) {
    const bool dropped = is_multiple(addend.coefficient, addend.unknown, made.exponent);
    if (!dropped && !is_low(addend.unknown)) continue;
    const Int part = addend.coefficient * addend.unknown;
    rest -= part;
    if (!dropped) remainders += part;
    is_reduced = true;
  }
  if (!is_reduced) return;
  const Domain domain = shift_by(made.exponent);
  const Int size = power_of_two(made.exponent);
  const Int sum = low(rest, made.exponent) + remainders;
  for (int powers = -2; powers <= 2; ++powers)
    learn(domain, implies(all({powers * size <= sum, sum < (powers + 1) * size}),
                          made.value == sum - powers * size));
}

}  // namespace tutti::prove

// SPDX-License-Identifier: BSD-3-Clause
// Defines what the operators of C++ mean on symbols. With path.cpp, this is the part of the prover
// that has to be trusted; the bridge test compares it with numbers. Everything is linear: where a
// quotient or a remainder is asked for, the range of the operands is proved first.
#include "path.hpp"
#include "schedule/program.hpp"

namespace tutti::prove {
namespace {

bool is(const Int& a, std::int64_t number) {
  return a.is_number() && a.number() == number;
}

// The largest exponent for which a number is written out.
constexpr int most_written = 40;

// A shift by a number that C++ gives no meaning for an int, or whose result may not fit one.
bool is_out_of_range(const Int& distance) {
  return distance.is_number() && (distance.number() < 0 || distance.number() > 30);
}

}  // namespace

Domain Path::shift_by(const Int& distance) {
  return inside(distance >= 0, "shifts are by 0 or more");
}

// Powers are unknowns with these facts: 2^0 = 1, 2^x > x, and for two exponents x < y that the path
// has met, 2 * 2^x <= 2^y, where y = x + 1 makes them equal. All hold for exponents from 0 on only.
Int Path::power_of_two(const Int& exponent) {
  if (exponent.is_number() && exponent.number() >= 0 && exponent.number() < most_written)
    return {std::int64_t{1} << exponent.number(), nullptr};
  for (const Power& other : powers_)
    if (is_same(exponent, other.exponent)) return other.value;
  const Domain domain = shift_by(exponent);
  if (powers_.empty()) powers_.push_back({0, 1, 2});
  const Int value =
      unknown("2^", exponent.number() < most_written ? std::int64_t{1} << exponent.number() : 0);
  const Int twice = 2 * value;
  const Unsimplified facts;
  learn(domain, value >= exponent + 1);
  for (const Power& other : powers_) {
    learn(domain, schedule::implies(exponent == other.exponent, value == other.value));
    learn(domain, schedule::implies(exponent < other.exponent, 2 * value <= other.value));
    learn(domain, schedule::implies(other.exponent < exponent, 2 * other.value <= value));
    learn(domain, schedule::implies(exponent + 1 == other.exponent, 2 * value == other.value));
    learn(domain, schedule::implies(other.exponent + 1 == exponent, 2 * other.value == value));
  }
  powers_.push_back({exponent, value, twice});
  return value;
}

// Outside of lemmas little is known of a shifted number: equal ones are equal, and a shift by 1 is
// a division by 2.
Int Path::shifted(const Int& a, const Int& distance) {
  const Domain shifts = shift_by(distance);
  if (distance == 0) return a;
  for (const Shift& other : shifts_) {
    if (is_same(other.number, a) && is_same(other.distance, distance)) return other.value;
  }
  const Domain domain = inside(a >= 0, "what is shifted is not negative");
  const Shift shift{a, distance, unknown(">>", a.number() >> (distance.number() & 31))};
  for (const Shift& other : shifts_)
    learn(domain, schedule::implies(schedule::all({other.number == a, other.distance == distance}),
                                    other.value == shift.value));
  learn(domain, schedule::implies(distance == 1,
                                  schedule::all({2 * shift.value <= a, a < 2 * shift.value + 2})));
  shifts_.push_back(shift);
  if (products_) define_shift(shifts, shift);
  return shift.value;
}

void Path::define_shift(const Domain& domain, const Shift& shift) {
  const Int power = power_of_two(shift.distance);
  learn(domain, schedule::all({shift.value * power <= shift.number,
                               shift.number < (shift.value + 1) * power}));
}

Int Path::ceil_log2(const Int& p) {
  for (const auto& [argument, value] : logs_)
    if (is_same(argument, p)) return value;
  if (p <= 1) return 0;
  // The library shifts until a power reaches the argument.
  const Domain domain =
      inside(schedule::all({p >= 2, p <= schedule::largest_p}), "a logarithm is one of 2 to 2^30");
  std::int64_t number = 0;
  while (p.number() < schedule::largest_p && (1 << number) < p.number()) ++number;
  const Int value = unknown("q", number);
  learn(domain, value >= 1);
  learn(domain, power_of_two(value - 1) < p);
  learn(domain, p <= power_of_two(value));
  for (const auto& [argument, other] : logs_)
    learn(domain, schedule::implies(argument == p, other == value));
  logs_.emplace_back(p, value);
  return value;
}

Int Path::bit_floor(const Int& n) {
  const Domain domain = inside(n >= 1, "bit_floor is asked of 1 or more");
  for (const auto& [argument, value] : floors_)
    if (is_same(argument, n)) return value;
  std::int64_t number = 0;
  while (n.number() < schedule::largest_p && (2 << number) <= n.number()) ++number;
  const Int exponent = unknown("f", number);
  learn(domain, exponent >= 0);
  const Int value = power_of_two(exponent);
  learn(domain, value <= n);
  learn(domain, n < 2 * value);
  floors_.emplace_back(n, value);
  return value;
}

namespace {

// a / b and a % b for a number b > 0, as C++ rounds: towards 0.
Int quotient(const Int& a, const Int& b) {
  const std::int64_t number = a.number() / b.number();
  if (a >= 0) return int_of(number, expression_of(a) / expression_of(b));
  return int_of(number, -((-expression_of(a)) / expression_of(b)));
}

Int remainder(const Int& a, const Int& b) {
  const std::int64_t number = a.number() % b.number();
  if (a >= 0) return int_of(number, z3::mod(expression_of(a), expression_of(b)));
  return int_of(number, -z3::mod(-expression_of(a), expression_of(b)));
}

std::int64_t remainder_of_numbers(const Int& a, const Int& b) {
  return b.number() == 0 ? 0 : a.number() % b.number();
}

}  // namespace
}  // namespace tutti::prove

namespace tutti::schedule {

using prove::path;
using prove::Unsupported;

Int ceil_log2(const Int& p) {
  if (p.is_number()) {
    int q = 0;
    while ((std::int64_t{1} << q) < p.number()) ++q;
    return q;
  }
  const prove::OwnNumbers own;
  return path().ceil_log2(p);
}

Int bit_floor(const Int& n) {
  if (n.is_number()) {
    if (n.number() < 1) throw Unsupported{"bit_floor of a number below 1"};
    std::int64_t power = 1;
    while (2 * power <= n.number()) power *= 2;
    return {power, nullptr};
  }
  const prove::OwnNumbers own;
  return path().bit_floor(n);
}

namespace {

// Returns the result of an operator. The numbers that the operator asks for on its way are not the
// generator's; the result is.
Int apply(Int (*meaning)(const Int&, const Int&), const Int& a, const Int& b) {
  Int result;
  {
    const prove::OwnNumbers own;
    result = meaning(a, b);
  }
  return prove::noted(std::move(result));
}

Int product(const Int& a, const Int& b) {
  const std::int64_t number = a.number() * b.number();
  if (a.is_number() && b.is_number()) return {number, nullptr};
  if (!a.is_number() && !b.is_number() && !path().products_allowed()) {
    if (const auto exponent = path().exponent_of(b)) return path().multiple(a, *exponent);
    if (const auto exponent = path().exponent_of(a)) return path().multiple(b, *exponent);
    throw Unsupported{"a product of two unknowns"};
  }
  return prove::int_of(number, prove::expression_of(a) * prove::expression_of(b));
}

Int quotient_of(const Int& a, const Int& b) {
  if (b.is_number() && b.number() > 0)
    return a.is_number() ? Int(a.number() / b.number(), nullptr)
                         : (prove::is(b, 1) ? a : prove::quotient(a, b));
  if (const auto exponent = path().exponent_of(b); exponent && path().proves(a >= 0))
    return path().quotient(a, *exponent);
  if (path().proves(all({0 <= a, 0 < b, a < 2 * b}))) return a < b ? 0 : 1;
  throw Unsupported{"a quotient of two unknowns"};
}

Int remainder_of(const Int& a, const Int& b) {
  if (b.is_number() && b.number() > 0)
    return a.is_number() ? Int(a.number() % b.number(), nullptr)
                         : (prove::is(b, 1) ? Int(0) : prove::remainder(a, b));
  if (const auto exponent = path().exponent_of(b); exponent && path().proves(a >= 0))
    return path().low(a, *exponent);
  if (path().proves(all({-b < a, a < b}))) return a;
  if (!path().proves(all({-2 * b < a, a < 2 * b})))
    throw Unsupported{"a remainder out of the linear range"};
  const Int low = prove::if_else(a <= -b, a + b, a);
  const Int result = prove::if_else(a >= b, a - b, low);
  // Without a term the number is the value, and not what the unknowns have in the bridge test.
  if (result.is_number()) return result;
  return {prove::remainder_of_numbers(a, b), result.term()};
}

Int shifted_left(const Int& a, const Int& b) {
  if (prove::is_out_of_range(b)) throw Unsupported{"a shift out of range"};
  if (a.is_number() && b.is_number()) return {a.number() << b.number(), nullptr};
  if (!a.is_number() || a.number() < 1) throw Unsupported{"an unknown that is shifted to the left"};
  Int factor = a, exponent = b;
  while (factor.number() % 2 == 0) {
    factor = factor / 2;
    exponent = exponent + 1;
  }
  // The shift of the source is by b, which has to be 0 or more itself.
  path().shift_by(b);
  return factor * path().power_of_two(exponent);
}

Int shifted_right(const Int& a, const Int& b) {
  if (!b.is_number()) return path().shifted(a, b);
  if (prove::is_out_of_range(b)) throw Unsupported{"a shift out of range"};
  // C++ rounds a shift down, and a quotient towards 0.
  path().inside(a >= 0, "what is shifted is not negative");
  return a / Int(std::int64_t{1} << b.number(), nullptr);
}

}  // namespace

Int operator*(const Int& a, const Int& b) {
  return apply(product, a, b);
}
Int operator/(const Int& a, const Int& b) {
  return apply(quotient_of, a, b);
}
Int operator%(const Int& a, const Int& b) {
  return apply(remainder_of, a, b);
}
Int operator<<(const Int& a, const Int& b) {
  return apply(shifted_left, a, b);
}
Int operator>>(const Int& a, const Int& b) {
  return apply(shifted_right, a, b);
}

}  // namespace tutti::schedule

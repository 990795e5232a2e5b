// SPDX-License-Identifier: BSD-3-Clause
// Bits of unknowns. low(x, i) is x modulo 2^i. Then x & -2^i is x - low(x, i), and x ^ 2^i adds 2^i
// or takes it away. The exclusive or of two unknowns is known by a few properties only.
#include "path.hpp"

namespace tutti::prove {
namespace {

using schedule::all;
using schedule::implies;

std::int64_t low_number(const Int& x, const Int& exponent) {
  const std::int64_t bits = exponent.number() & 31;
  return x.number() & ((std::int64_t{1} << bits) - 1);  // also right for negative numbers
}

}  // namespace

std::optional<Int> Path::exponent_of(const Int& power) const {
  if (power.is_number()) {
    for (int i = 0; i < 31; ++i)
      if (power.number() == std::int64_t{1} << i) return Int(i);
    return std::nullopt;
  }
  for (const Power& other : powers_) {
    if (is_same(other.value, power)) return other.exponent;
    if (is_same(other.twice, power)) return other.exponent + 1;
  }
  return std::nullopt;
}

// For i < j, low(x, j) - low(x, i) is a multiple of 2^i that is less than 2^j.
void Path::relate(const Domain& domain, const Low& a, const Low& b) {
  const Int size = power_of_two(a.exponent), larger = power_of_two(b.exponent);
  const Unsimplified facts;
  const Truth same = a.number == b.number;
  learn(domain, implies(all({same, a.exponent == b.exponent}), a.value == b.value));
  learn(domain, implies(all({same, a.exponent < b.exponent}),
                        all({a.value <= b.value, b.value - a.value + size <= larger})));
  learn(domain, implies(all({same, a.exponent + 1 == b.exponent}),
                        either(b.value == a.value, b.value == a.value + size)));
}

Int Path::low(const Int& x, const Int& exponent) {
  for (const Low& other : lows_)
    if (is_same(other.number, x) && is_same(other.exponent, exponent)) return other.value;
  const Domain domain = shift_by(exponent);
  const Int size = power_of_two(exponent);
  const Low made{x, exponent, unknown("low", low_number(x, exponent))};
  learn(domain, all({0 <= made.value, made.value < size}));
  learn(domain, implies(0 <= x, made.value <= x));
  learn(domain, implies(all({0 <= x, x < size}), made.value == x));
  for (const Low& other : lows_) {
    relate(domain, made, other);
    relate(domain, other, made);
  }
  lows_.push_back(made);
  reduce(made);
  return made.value;
}

// The number is less than the power that ends the range of the ranks, so it is its own low part
// there; that gives the multiples below an end.
void Path::know_range(const Int& x) {
  for (std::size_t i = 0; i < logs_.size(); ++i) static_cast<void>(low(x, logs_[i].second));
}

Int Path::flipped(const Int& x, const Int& exponent) {
  const Domain domain = inside(x >= 0, "bits are those of a number that is not negative");
  know_range(x);
  const Int size = power_of_two(exponent), below = low(x, exponent);
  const bool is_set = low(x, exponent + 1) != below;
  const Int result = is_set ? x - size : x + size;
  learn(domain, low(result, exponent) == below);
  learn(domain, low(result, exponent + 1) == (is_set ? below : below + size));
  know_range(result);
  for (const auto& [p, q] : logs_)
    learn(domain, implies(all({x < power_of_two(q), exponent < q}), result < power_of_two(q)));
  return result;
}

Int Path::exclusive_or(const Int& a, const Int& b) {
  for (const Exclusive& other : exclusives_) {
    if (!is_same(other.b, b)) continue;
    if (is_same(other.a, a)) return other.value;
    if (is_same(other.value, a)) return other.a;
  }
  const Domain domain =
      inside(all({a >= 0, b >= 0}), "an exclusive or is one of numbers that are not negative");
  const Exclusive made{a, b, unknown("^", a.number() ^ b.number())};
  learn(domain, made.value >= 0);
  learn(domain, implies(a == b, made.value == 0));
  learn(domain, implies(a == 0, made.value == b));
  learn(domain, implies(made.value == 0, a == b));
  learn(domain, implies(made.value == a, b == 0));
  for (const Power& power : powers_)
    learn(domain, implies(all({a < power.value, b < power.value}), made.value < power.value));
  // In a ^ b = c each of the three is the exclusive or of the two others.
  for (const Exclusive& other : exclusives_) {
    const Int mine[] = {made.a, made.b, made.value}, theirs[] = {other.a, other.b, other.value};
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) {
        const Int &x = mine[(i + 1) % 3], &y = mine[(i + 2) % 3];
        const Int &u = theirs[(k + 1) % 3], &w = theirs[(k + 2) % 3];
        learn(domain,
              implies(either(all({x == u, y == w}), all({x == w, y == u})), mine[i] == theirs[k]));
      }
  }
  exclusives_.push_back(made);
  return made.value;
}

}  // namespace tutti::prove

namespace tutti::schedule {

using prove::path;
using prove::Unsupported;

Int operator&(const Int& a, const Int& b) {
  if (a.is_number() && b.is_number()) return {a.number() & b.number(), nullptr};
  const prove::OwnNumbers own;
  const auto exponent = path().exponent_of(-b);
  if (!exponent) throw Unsupported{"bits of an unknown"};
  path().inside(a >= 0, "bits are those of a number that is not negative");
  path().know_range(a);
  return a - path().low(a, *exponent);
}

Int operator^(const Int& a, const Int& b) {
  if (a.is_number() && b.is_number()) return {a.number() ^ b.number(), nullptr};
  const prove::OwnNumbers own;
  if (const auto exponent = path().exponent_of(b)) return path().flipped(a, *exponent);
  return path().exclusive_or(a, b);
}

}  // namespace tutti::schedule

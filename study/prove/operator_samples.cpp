// SPDX-License-Identifier: BSD-3-Clause
// The operators of C++ on symbols, and what else knows facts of numbers, tried on all small numbers
// and on a few larger ones.
#include <bit>
#include <iostream>

#include "path.hpp"
#include "samples.hpp"

namespace tutti::prove {
namespace {

using Number = std::int64_t;
using Meaning = std::optional<Number>;  // nothing where C++ gives none

constexpr Number largest_shift = 30;

struct Operator {
  const char* name;
  Int (*symbols)(const Int& a, const Int& b);
  Meaning (*numbers)(Number a, Number b);
};

Int as_number(const Int& a) {
  return {a.number(), nullptr};
}
Meaning shift(Number b, Number result) {
  return b < 0 || b > largest_shift ? Meaning{} : Meaning{result};
}
Number power(Number b) {
  return Number{1} << (b & 31);
}

Meaning quotient(Number a, Number b) {
  return b == 0 ? Meaning{} : Meaning{a / b};
}
Meaning remainder(Number a, Number b) {
  return b == 0 ? Meaning{} : Meaning{a % b};
}
Meaning right(Number a, Number b) {
  return shift(b, a >> (b & 31));
}

constexpr Operator operators[] = {
    {"a / b", [](const Int& a, const Int& b) { return a / b; }, quotient},
    {"a / number", [](const Int& a, const Int& b) { return a / as_number(b); }, quotient},
    {"a % b", [](const Int& a, const Int& b) { return a % b; }, remainder},
    {"a % number", [](const Int& a, const Int& b) { return a % as_number(b); }, remainder},
    {"a >> b", [](const Int& a, const Int& b) { return a >> b; }, right},
    {"a >> number", [](const Int& a, const Int& b) { return a >> as_number(b); }, right},
    {"1 << b", [](const Int&, const Int& b) { return 1 << b; },
     [](Number, Number b) { return shift(b, power(b)); }},
    {"a ^ b", [](const Int& a, const Int& b) { return a ^ b; },
     [](Number a, Number b) { return Meaning{a ^ b}; }},
    {"a ^ (1 << b)", [](const Int& a, const Int& b) { return a ^ (1 << b); },
     [](Number a, Number b) { return shift(b, a ^ power(b)); }},
    {"a & -(1 << b)", [](const Int& a, const Int& b) { return a & -(1 << b); },
     [](Number a, Number b) { return shift(b, a & -power(b)); }},
    {"a * (1 << b)", [](const Int& a, const Int& b) { return a * (1 << b); },
     [](Number a, Number b) { return shift(b, a * power(b)); }},
    {"a / (1 << b)", [](const Int& a, const Int& b) { return a / (1 << b); },
     [](Number a, Number b) { return shift(b, a / power(b)); }},
    {"a % (1 << b)", [](const Int& a, const Int& b) { return a % (1 << b); },
     [](Number a, Number b) { return shift(b, a % power(b)); }},
    {"ceil_log2(a)", [](const Int& a, const Int&) { return schedule::ceil_log2(a); },
     [](Number a, Number) { return Meaning{a <= 1 ? 0 : std::bit_width(std::uint64_t(a - 1))}; }},
    {"bit_floor(a)", [](const Int& a, const Int&) { return schedule::bit_floor(a); },
     [](Number a, Number) {
       return a < 1 ? Meaning{} : Meaning{Number(std::bit_floor(std::uint64_t(a)))};
     }},
    {"remainder of a by 1 << b", [](const Int& a, const Int& b) { return path().low(a, b); },
     [](Number a, Number b) { return shift(b, a & (power(b) - 1)); }}};

// Asks the operator for the result of these numbers.
void ask(const Operator& of, const Int& a, const Int& b) {
  const Int result = of.symbols(a, b);
  path().compare(result);
  const Meaning meaning = of.numbers(a.number(), b.number());
  if (!meaning || *meaning != result.number())
    path().differ(meaning ? "the result is another one" : "a result where C++ has none");
}

// Facts about pairs of results enter a path with the second of them.
Report asked_of_unknowns(const Operator& of, Number a, Number b) {
  return explore_numbers([&] {
    const Int x = path().unknown("a", a), y = path().unknown("b", b);
    ask(of, x, y);
    if (a <= largest_shift) ask(of, y, x);  // its power has to fit an int
    ask(of, x + 1, y);
    ask(of, x, y + 1);
  });
}

// With one rank, generators compute with numbers in which there is no unknown.
Report asked_of_numbers(const Operator& of, Number a, Number b) {
  return explore_numbers([&] { ask(of, {a, nullptr}, {b, nullptr}); });
}

struct Asked {
  int meant = 0, refused = 0;
};

void ask_both(const Operator& of, Number a, Number b, Asked& asked) {
  for (const Report& report : {asked_of_unknowns(of, a, b), asked_of_numbers(of, a, b)}) {
    for (const std::string& difference : report.differences)
      std::cout << "DIFFERS: " << of.name << ", a = " << a << ", b = " << b << ": " << difference
                << '\n';
    ++(report.proved() ? asked.meant : asked.refused);
  }
}

// Powers are as large as these numbers, or lie between them.
constexpr Number larger[] = {15, 16, 37, 64, 100};
constexpr Number largest_exponent = 6;

}  // namespace

void print_operators(int most) {
  for (const Operator& of : operators) {
    Asked asked;
    for (Number a = -most; a <= most; ++a)
      for (Number b = -most; b <= most; ++b) ask_both(of, a, b, asked);
    for (const Number a : larger)
      for (Number b = 0; b <= largest_exponent; ++b) ask_both(of, a, b, asked);
    std::cout << of.name << ": " << asked.meant << " have a meaning, " << asked.refused
              << " are refused\n";
  }
}

}  // namespace tutti::prove

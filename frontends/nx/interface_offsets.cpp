// SPDX-License-Identifier: BSD-3-Clause
// The names of NX in C that compute with numbers of type esize_t. It is long, whose 64 bits are
// enough; it was a structure of two numbers on the Paragon, so programs call functions.
#include <tutti-nx/nx.h>

#include <charconv>
#include <cstring>
#include <string_view>

#include "forms.hpp"

using namespace tutti::nx;

namespace {

[[noreturn]] void reject_overflow(long x, const char* sign, long y) {
  fail(ERANGE, "{} {} {} is no number of 64 bits", x, sign, y);
}

long sum(long x, long y) {
  long result = 0;
  if (__builtin_add_overflow(x, y, &result)) reject_overflow(x, "+", y);
  return result;
}

long difference(long x, long y) {
  long result = 0;
  if (__builtin_sub_overflow(x, y, &result)) reject_overflow(x, "-", y);
  return result;
}

long product(long x, long y) {
  long result = 0;
  if (__builtin_mul_overflow(x, y, &result)) reject_overflow(x, "*", y);
  return result;
}

void check_divisor(long y) {
  if (y == 0) fail(EINVAL, "argument 'y' is 0, by which nothing can be divided");
}

long quotient(long x, long y) {
  check_divisor(y);
  return y == -1 ? difference(0, x) : x / y;
}

long remainder(long x, long y) {
  check_divisor(y);
  return y == -1 ? 0 : x % y;
}

void write_number(long x, char* text) {
  if (text == nullptr) fail(EFAULT, "argument 'text' is NULL");
  constexpr int longest = 20;
  *std::to_chars(text, text + longest, x).ptr = '\0';
}

long number_of(const char* text) {
  if (text == nullptr) fail(EFAULT, "argument 'text' is NULL");
  long number = 0;
  const char* const end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, number);
  if (error != std::errc() || rest != end) fail(EINVAL, "argument 'text' is '{}', no number", text);
  return number;
}

}  // namespace

extern "C" {

TUTTI_NX_DEFINE(esize_t, eadd, (esize_t x, esize_t y), return sum(x, y))
TUTTI_NX_DEFINE(esize_t, eadd1, (esize_t x, long y), return sum(x, y))
TUTTI_NX_DEFINE(esize_t, esub, (esize_t x, esize_t y), return difference(x, y))
TUTTI_NX_DEFINE(esize_t, esub1, (esize_t x, long y), return difference(x, y))
TUTTI_NX_DEFINE(esize_t, emul, (esize_t x, long y), return product(x, y))
TUTTI_NX_DEFINE(long, ediv, (esize_t x, long y), return quotient(x, y))
TUTTI_NX_DEFINE(long, emod, (esize_t x, long y), return remainder(x, y))
TUTTI_NX_DEFINE(long, ecmp, (esize_t x, esize_t y), return x < y ? -1 : (x > y ? 1 : 0))
TUTTI_NX_DEFINE(void, etos, (esize_t x, char* text), write_number(x, text))
TUTTI_NX_DEFINE(esize_t, stoe, (const char* text), return number_of(text))

}  // extern "C"

// SPDX-License-Identifier: BSD-3-Clause
// Oxford's level 1 on single values, in C and in Fortran. Each function is one collective of tutti
// with one of tutti's own operators.
#include <tutti-bsp/bsp_level1.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <vector>

#include "direct.hpp"
#include "errors.hpp"
#include "state.hpp"

namespace bsp = tutti::bsp;

namespace {

constexpr tutti_type type_of(int) {
  return TUTTI_INT32;
}
constexpr tutti_type type_of(float) {
  return TUTTI_FLOAT;
}
constexpr tutti_type type_of(double) {
  return TUTTI_DOUBLE;
}
constexpr tutti_type type_of(char) {
  return TUTTI_BYTE;
}

using Reduction = tutti_status (*)(tutti_group, const tutti_data*, const tutti_data*, tutti_op);

template <class T>
T combine(const char* routine, Reduction reduction, tutti_op op, T value) {
  const bsp::BspMachine& mine = bsp::machine(routine);
  bsp::meet(routine, mine.peers);
  T result{};
  const tutti_data input = tutti_array(&value, 1, type_of(value));
  const tutti_data output = tutti_array(&result, 1, type_of(value));
  bsp::check(routine, reduction, mine.peers.group, &input, &output, op);
  return result;
}

template <class T>
T over_all(const char* routine, tutti_op op, T value) {
  return combine(routine, tutti_allreduce, op, value);
}
template <class T>
T up_to_this(const char* routine, tutti_op op, T value) {
  return combine(routine, tutti_scan, op, value);
}

// Returns 1 if the smallest value is also the largest. ~x falls where x rises, so one operator
// finds both.
int is_constant(int value) {
  const bsp::BspMachine& mine = bsp::machine("bsp_constantI");
  std::array<int, 2> ends{value, ~value};
  const tutti_data data = tutti_array(ends.data(), 2, TUTTI_INT32);
  bsp::meet("bsp_constantI", mine.peers);
  bsp::check("bsp_constantI", tutti_allreduce, mine.peers.group, &data, &data, TUTTI_MIN);
  return ends[0] == ~ends[1] ? 1 : 0;
}

// Puts NaN behind all numbers: the order must be one, or the algorithm of the library may leave the
// array.
template <class T>
bool is_before(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) || std::isnan(b)) return !std::isnan(a) && std::isnan(b);
  }
  return a < b;
}

template <class T>
T sorted(const char* routine, T value) {
  const bsp::BspMachine& mine = bsp::machine(routine);
  bsp::meet(routine, mine.peers);
  std::vector<T> all(mine.peers.count());
  const tutti_data input = tutti_array(&value, 1, type_of(value));
  const tutti_data output =
      tutti_array(all.data(), static_cast<std::int64_t>(all.size()), type_of(value));
  bsp::check(routine, tutti_allgather, mine.peers.group, &input, &output);
  std::nth_element(all.begin(), all.begin() + mine.pid, all.end(), is_before<T>);
  return all[static_cast<std::size_t>(mine.pid)];
}

}  // namespace

// Defines the functions of one operator and one type, and their names in Fortran. `value` is what
// is combined.
#define TUTTI_BSP_COMBINE(name, fortran, type, op, value)             \
  type name(type x) {                                                 \
    return over_all(#name, op, static_cast<type>(value));             \
  }                                                                   \
  type name##_prefix(type x) {                                        \
    return up_to_this(#name "_prefix", op, static_cast<type>(value)); \
  }                                                                   \
  TUTTI_API type fortran##_(const type* x) {                          \
    return name(*x);                                                  \
  }                                                                   \
  TUTTI_API type fortran##_prefix_(const type* x) {                   \
    return name##_prefix(*x);                                         \
  }
#define TUTTI_BSP_COMBINE_TYPES(name, op)                      \
  TUTTI_BSP_COMBINE(bsp_##name##I, bsp##name##i, int, op, x)   \
  TUTTI_BSP_COMBINE(bsp_##name##R, bsp##name##r, float, op, x) \
  TUTTI_BSP_COMBINE(bsp_##name##D, bsp##name##d, double, op, x)

extern "C" {

TUTTI_BSP_COMBINE(bsp_all, bspall, int, TUTTI_LOGICAL_AND, x != 0)
TUTTI_BSP_COMBINE(bsp_any, bspany, int, TUTTI_LOGICAL_OR, x != 0)
TUTTI_BSP_COMBINE_TYPES(sum, TUTTI_SUM)
TUTTI_BSP_COMBINE_TYPES(product, TUTTI_PRODUCT)
TUTTI_BSP_COMBINE_TYPES(min, TUTTI_MIN)
TUTTI_BSP_COMBINE_TYPES(max, TUTTI_MAX)

int bsp_constantI(int x) {
  return is_constant(x);
}
int bsp_sortI(int x) {
  return sorted("bsp_sortI", x);
}
float bsp_sortR(float x) {
  return sorted("bsp_sortR", x);
}
double bsp_sortD(double x) {
  return sorted("bsp_sortD", x);
}
char bsp_sortC(char x) {
  return sorted("bsp_sortC", x);
}

}  // extern "C"

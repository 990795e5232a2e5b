// SPDX-License-Identifier: BSD-3-Clause
// The operator "mean": the library adds, and each rank divides its result by the number of ranks.
#include <math.h>
#include <string.h>

#include "core.h"

bool core_has_mean(tutti_type type) {
  return type == TUTTI_FLOAT || type == TUTTI_DOUBLE || type == TUTTI_COMPLEX_FLOAT ||
         type == TUTTI_COMPLEX_DOUBLE || type == TUTTI_FLOAT16 || type == TUTTI_BFLOAT16;
}

enum { HALF_FRACTION = 10, HALF_LEAST = -14, HALF_BIAS = 15, HALF_EXPONENTS = 31 };

static double of_half(uint16_t bits) {
  const int exponent = bits >> HALF_FRACTION & HALF_EXPONENTS;
  const double fraction = bits & ((1 << HALF_FRACTION) - 1), one = 1 << HALF_FRACTION;
  double value = ldexp(one + fraction, exponent - HALF_BIAS - HALF_FRACTION);
  if (exponent == 0) value = ldexp(fraction, HALF_LEAST - HALF_FRACTION);
  if (exponent == HALF_EXPONENTS) value = fraction > 0 ? NAN : INFINITY;
  return bits >> 15 != 0 ? -value : value;
}

// The nearest number of half precision. A quotient of one by an integer is never too large for it.
static uint16_t to_half(double value) {
  const unsigned sign = signbit(value) ? 1U << 15 : 0;
  const unsigned infinity = (unsigned)HALF_EXPONENTS << HALF_FRACTION;
  if (isnan(value)) return (uint16_t)(sign | infinity | 1U << (HALF_FRACTION - 1));
  if (isinf(value)) return (uint16_t)(sign | infinity);
  if (value == 0) return (uint16_t)sign;
  const int found = ilogb(value), exponent = found < HALF_LEAST ? HALF_LEAST : found;
  const unsigned steps = (unsigned)nearbyint(ldexp(fabs(value), HALF_FRACTION - exponent));
  // A number below the least normal one has the exponent 0. If rounding makes it or another one
  // reach the next power of two, the carry goes into the exponent.
  const unsigned above = (unsigned)(exponent - HALF_LEAST) << HALF_FRACTION;
  return (uint16_t)(sign | (above + steps));
}

static uint16_t divide_bfloat16(uint16_t bits, float by) {
  uint32_t wide = (uint32_t)bits << 16;
  float value;
  memcpy(&value, &wide, sizeof value);
  value /= by;
  if (isnan(value)) return bits;
  memcpy(&wide, &value, sizeof wide);
  const uint32_t half_of_a_step = 0x7FFF + (wide >> 16 & 1);  // ties go to the even one
  return (uint16_t)((wide + half_of_a_step) >> 16);
}

// Divides `count` elements in a row. A complex one is two real ones.
static void divide_row(void* row, int64_t count, tutti_type type, int by) {
  float* const singles = row;
  double* const doubles = row;
  uint16_t* const halves = row;
  if (type == TUTTI_COMPLEX_FLOAT || type == TUTTI_COMPLEX_DOUBLE) count *= 2;
  for (int64_t i = 0; i < count; ++i) {
    if (type == TUTTI_FLOAT || type == TUTTI_COMPLEX_FLOAT) {
      singles[i] /= (float)by;
    } else if (type == TUTTI_FLOAT16) {
      halves[i] = to_half(of_half(halves[i]) / by);
    } else if (type == TUTTI_BFLOAT16) {
      halves[i] = divide_bfloat16(halves[i], (float)by);
    } else {
      doubles[i] /= by;
    }
  }
}

void core_divide(core_operand* operand, int by) {
  const tutti_type type = operand->element.type;
  const Py_buffer* view = &operand->view;
  if (operand->kind == CORE_NOTHING) return;
  if (operand->kind == CORE_NUMBER) {
    divide_row(&operand->value, 1, type, by);
  } else if (operand->memory != NULL) {
    divide_row(operand->memory, operand->items, type, by);
  } else if (view->ndim == 2 && PyBuffer_IsContiguous(view, 'C') == 0) {
    for (Py_ssize_t i = 0; i < view->shape[0]; ++i)
      divide_row((char*)view->buf + i * view->strides[0], view->shape[1], type, by);
  } else {
    divide_row(view->buf, operand->items, type, by);
  }
}

// SPDX-License-Identifier: BSD-3-Clause
// The routines of the BLAS that LU needs, on one thread. Matrices are stored by columns.
#pragma once

extern "C" {
void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*,
            const double*, const int*, const double*, const int*, const double*, double*,
            const int*);
void dtrsm_(const char*, const char*, const char*, const char*, const int*, const int*,
            const double*, const double*, const int*, double*, const int*);
void dtrsv_(const char*, const char*, const char*, const int*, const double*, const int*, double*,
            const int*);
void dgemv_(const char*, const int*, const int*, const double*, const double*, const int*,
            const double*, const int*, const double*, double*, const int*);
void dger_(const int*, const int*, const double*, const double*, const int*, const double*,
           const int*, double*, const int*);
int idamax_(const int*, const double*, const int*);
}

namespace lu {

// A part of a matrix. Its columns are `stride` elements apart.
struct Block {
  double* values;
  int rows, columns, stride;

  [[nodiscard]] double* at(int i, int j) const {
    return values + i + static_cast<long>(j) * stride;
  }
  [[nodiscard]] Block part(int i, int j, int part_rows, int part_columns) const {
    return {at(i, j), part_rows, part_columns, stride};
  }
};

// c = c - a b.
inline void subtract_product(const Block& c, const Block& a, const Block& b) {
  const double one = 1, minus_one = -1;
  if (c.rows == 0 || c.columns == 0 || a.columns == 0) return;
  dgemm_("N", "N", &c.rows, &c.columns, &a.columns, &minus_one, a.values, &a.stride, b.values,
         &b.stride, &one, c.values, &c.stride);
}

// y = y - a x.
inline void subtract_product(double* y, const Block& a, const double* x) {
  const double one = 1, minus_one = -1;
  const int next = 1;
  if (a.rows == 0 || a.columns == 0) return;
  dgemv_("N", &a.rows, &a.columns, &minus_one, a.values, &a.stride, x, &next, &one, y, &next);
}

// c = c - column row^T, where the elements of the row are `row_stride` apart.
inline void subtract_outer(const Block& c, const double* column, const double* row,
                           int row_stride) {
  const double minus_one = -1;
  const int next = 1;
  if (c.rows == 0 || c.columns == 0) return;
  dger_(&c.rows, &c.columns, &minus_one, column, &next, row, &row_stride, c.values, &c.stride);
}

// b = l^-1 b, with the lower triangle of l and ones on its diagonal.
inline void solve_unit_lower(const Block& l, const Block& b) {
  const double one = 1;
  if (b.rows == 0 || b.columns == 0) return;
  dtrsm_("L", "L", "N", "U", &b.rows, &b.columns, &one, l.values, &l.stride, b.values, &b.stride);
}

// x = a^-1 x, with a triangle of a: "L" with ones on the diagonal, or "U".
inline void solve_triangle(const char* triangle, const Block& a, double* x) {
  const int next = 1;
  dtrsv_(triangle, "N", *triangle == 'L' ? "U" : "N", &a.rows, a.values, &a.stride, x, &next);
}

// Returns the place of the element with the largest absolute value, which is 0 for the first.
inline int largest(const double* values, int count) {
  const int next = 1;
  return idamax_(&count, values, &next) - 1;
}

}  // namespace lu

// SPDX-License-Identifier: BSD-3-Clause
// Matrix product with rows in blocks. The blocks of the second matrix go around the ring of
// processes, and each process multiplies the block that it holds.
#include "programs.h"

static double left_element(int i, int j) {
  return (i * 7 + j * 3) % 11 - 5;
}
static double right_element(int i, int j) {
  return (i * 5 + j * 2) % 13 - 6;
}

// Computes c += a[.., first ...] * b, where b has rows `first` to `end`.
static void multiply(const double* a, const double* b, double* c, int own, int n, int first,
                     int end) {
  for (int i = 0; i < own; ++i) {
    for (int k = first; k < end; ++k) {
      const double factor = a[i * n + k];
      for (int j = 0; j < n; ++j) c[i * n + j] += factor * b[(k - first) * n + j];
    }
  }
}

void matrix_product(int n) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid(), first = block(p, s, n),
            own = block(p, s + 1, n) - first;
  const int most = (n + p - 1) / p;
  double* const a = malloc((size_t)(own * n) * sizeof(double) + 1);
  double* const c = calloc((size_t)(own * n) + 1, sizeof(double));
  double* const held[2] = {bsp_alloc((size_t)(most * n) * sizeof(double)),
                           bsp_alloc((size_t)(most * n) * sizeof(double))};
  for (int h = 0; h < 2; ++h) bsp_push_reg(held[h], SIZE(most * n, double));
  bsp_sync();
  for (int i = 0; i < own; ++i) {
    for (int j = 0; j < n; ++j) {
      a[i * n + j] = left_element(first + i, j);
      held[0][i * n + j] = right_element(first + i, j);
    }
  }
  bsp_sync();
  for (int step = 0; step < p; ++step) {
    const int owner = (s + step) % p, begin = block(p, owner, n), end = block(p, owner + 1, n);
    const double* const now = held[step % 2];
    bsp_hpput((bsp_pid_t)((s + p - 1) % p), now, held[1 - step % 2], 0,
              SIZE((end - begin) * n, double));
    multiply(a, now, c, own, n, begin, end);
    bsp_sync();
  }
  for (int i = 0; i < own; ++i) {
    const int j = (i * 17 + 3) % n;
    double sum = 0;
    for (int k = 0; k < n; ++k) sum += left_element(first + i, k) * right_element(k, j);
    REQUIRE(c[i * n + j] == sum);
  }
  for (int h = 0; h < 2; ++h) bsp_pop_reg(held[h]);
  bsp_sync();
  for (int h = 0; h < 2; ++h) bsp_free(held[h]);
  free(a);
  free(c);
}

// SPDX-License-Identifier: BSD-3-Clause
// LU decomposition with partial pivoting of a matrix whose rows are distributed cyclically. The
// pivot is the best of all processes' candidates, rows are swapped by gets, and the pivot row is
// put to all.
#include "programs.h"

typedef struct {
  double value;
  int row;
} Candidate;

static double element(int n, int i, int j) {
  return (i * 37 + j * 61 + i * j % 7) % 101 / 10.0 + (i == j ? 0.01 * n : 0);
}

static int find_pivot(const double* rows, int n, int k, Candidate* all) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  Candidate own = {-1, -1};
  for (int local = 0; local < cyclic(p, s, n); ++local) {
    const int i = local * p + s;
    const double value = fabs(rows[local * n + k]);
    if (i >= k && value > own.value) own = (Candidate){value, i};
  }
  for (int t = 0; t < p; ++t)
    bsp_put((bsp_pid_t)t, &own, all, SIZE(s, Candidate), SIZE(1, Candidate));
  bsp_sync();
  Candidate best = all[0];
  for (int t = 1; t < p; ++t) {
    if (all[t].value > best.value) best = all[t];
  }
  return best.row;
}

// Each of the two owners gets the row of the other.
static void swap_rows(double* rows, int* order, int n, int a, int b) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  const bsp_size_t bytes = SIZE(n, double);
  if (a % p == s)
    bsp_get((bsp_pid_t)(b % p), rows, SIZE(b / p * n, double), &rows[a / p * n], bytes);
  if (b % p == s && a != b)
    bsp_get((bsp_pid_t)(a % p), rows, SIZE(a / p * n, double), &rows[b / p * n], bytes);
  bsp_sync();
  const int kept = order[a];
  order[a] = order[b];
  order[b] = kept;
}

static void check_product(const double* rows, const int* order, int n) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  double* const all = calloc((size_t)(n * n), sizeof(double));
  bsp_push_reg(all, SIZE(n * n, double));
  bsp_sync();
  for (int local = 0; local < cyclic(p, s, n); ++local) {
    for (int t = 0; t < p; ++t) {
      bsp_put((bsp_pid_t)t, &rows[local * n], all, SIZE((local * p + s) * n, double),
              SIZE(n, double));
    }
  }
  bsp_sync();
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k <= (i < j ? i : j); ++k)
        sum += (k == i ? 1.0 : all[i * n + k]) * all[k * n + j];
      REQUIRE(fabs(sum - element(n, order[i], j)) < 1e-8);
    }
  }
  bsp_pop_reg(all);
  bsp_sync();
  free(all);
}

void lu(int n) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid(), own = cyclic(p, s, n);
  double* const rows = malloc((size_t)(own * n) * sizeof(double) + 1);
  double* const pivot_row = malloc((size_t)n * sizeof(double));
  Candidate* const all = malloc((size_t)p * sizeof(Candidate));
  int* const order = malloc((size_t)n * sizeof(int));
  for (int i = 0; i < n; ++i) order[i] = i;
  for (int local = 0; local < own; ++local) {
    for (int j = 0; j < n; ++j) rows[local * n + j] = element(n, local * p + s, j);
  }
  bsp_push_reg(rows, SIZE(own * n, double));
  bsp_push_reg(pivot_row, SIZE(n, double));
  bsp_push_reg(all, SIZE(p, Candidate));
  bsp_sync();
  for (int k = 0; k < n; ++k) {
    swap_rows(rows, order, n, k, find_pivot(rows, n, k, all));
    for (int t = 0; t < p && k % p == s; ++t) {
      bsp_put((bsp_pid_t)t, &rows[k / p * n + k], pivot_row, SIZE(k, double), SIZE(n - k, double));
    }
    bsp_sync();
    for (int local = 0; local < own; ++local) {
      if (local * p + s <= k) continue;
      double* const row = &rows[local * n];
      row[k] /= pivot_row[k];
      for (int j = k + 1; j < n; ++j) row[j] -= row[k] * pivot_row[j];
    }
  }
  bsp_pop_reg(rows);
  bsp_pop_reg(pivot_row);
  bsp_pop_reg(all);
  bsp_sync();
  check_product(rows, order, n);
  free(rows);
  free(pivot_row);
  free(all);
  free(order);
}

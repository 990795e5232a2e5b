// SPDX-License-Identifier: BSD-3-Clause
// Sparse matrix times vector, with rows in blocks. Gets fetch the vector elements that a process
// needs. Products are summed, and partial sums are tagged messages to the owners of a permuted
// result.
#include "programs.h"

enum { per_row = 4 };

static int column_of(int n, int row, int k) {
  return (row * 7 + k * k * 13 + 5) % n;
}
static double value_of(int row, int k) {
  return row + 10.0 * k + 1;
}

static void send_sums(int n, const double* gathered, double* result) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid(), first = block(p, s, n),
            end = block(p, s + 1, n);
  bsp_size_t tag_size = sizeof(int);
  bsp_set_tagsize(&tag_size);
  bsp_sync();
  for (int i = first; i < end; ++i) {
    for (int k = 0; k < per_row; ++k) {
      const int to = n - 1 - i;
      int owner = 0;
      while (to >= block(p, owner + 1, n)) ++owner;
      const double product = value_of(i, k) * gathered[(i - first) * per_row + k];
      bsp_send((bsp_pid_t)owner, &to, &product, SIZE(1, double));
    }
  }
  bsp_sync();
  bsp_nprocs_t messages = 0;
  bsp_size_t bytes = 0, status = 0;
  bsp_qsize(&messages, &bytes);
  REQUIRE((size_t)bytes == (size_t)messages * sizeof(double));
  for (bsp_nprocs_t m = 0; m < messages; ++m) {
    int to = 0;
    double product = 0;
    bsp_get_tag(&status, &to);
    bsp_move(&product, status);
    result[to - first] += product;
  }
  tag_size = 0;
  bsp_set_tagsize(&tag_size);
  bsp_sync();
}

void sparse_matrix_vector(int n) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid(), first = block(p, s, n),
            end = block(p, s + 1, n);
  const int own = end - first;
  double* const x = malloc((size_t)own * sizeof(double) + 1);
  double* const gathered = malloc((size_t)(own * per_row) * sizeof(double) + 1);
  double* const result = calloc((size_t)own + 1, sizeof(double));
  for (int i = 0; i < own; ++i) x[i] = 1.0 / (first + i + 1);
  bsp_push_reg(x, SIZE(own, double));
  bsp_sync();
  for (int i = first; i < end; ++i) {
    for (int k = 0; k < per_row; ++k) {
      const int j = column_of(n, i, k);
      int owner = 0;
      while (j >= block(p, owner + 1, n)) ++owner;
      bsp_get((bsp_pid_t)owner, x, SIZE(j - block(p, owner, n), double),
              &gathered[(i - first) * per_row + k], SIZE(1, double));
    }
  }
  bsp_sync();
  send_sums(n, gathered, result);
  for (int r = first; r < end; ++r) {
    double expected = 0;
    for (int k = 0; k < per_row; ++k)
      expected += value_of(n - 1 - r, k) / (column_of(n, n - 1 - r, k) + 1);
    REQUIRE(fabs(result[r - first] - expected) < 1e-9);
  }
  bsp_pop_reg(x);
  bsp_sync();
  free(x);
  free(gathered);
  free(result);
}

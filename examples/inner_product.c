// SPDX-License-Identifier: BSD-3-Clause
// Computes the inner product of a vector with itself, which is a usual first program for BSPlib.
// The vector is distributed cyclically, and every process sends its partial sum to every other one.
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>

static double inner_product(int n) {
  const int p = bsp_nprocs(), s = bsp_pid();
  double* const partial = calloc((size_t)p, sizeof(double));
  bsp_push_reg(partial, (int)((size_t)p * sizeof(double)));
  bsp_sync();
  double own = 0;
  for (int i = s; i < n; i += p) own += (i + 1.0) * (i + 1.0);
  for (int t = 0; t < p; ++t)
    bsp_put(t, &own, partial, (int)((size_t)s * sizeof(double)), sizeof(double));
  bsp_sync();
  double sum = 0;
  for (int t = 0; t < p; ++t) sum += partial[t];
  bsp_pop_reg(partial);
  bsp_sync();
  free(partial);
  return sum;
}

int main(void) {
  bsp_begin(bsp_nprocs());
  const int n = 1000;
  const double sum = inner_product(n);
  const double right = n * (n + 1.0) * (2.0 * n + 1.0) / 6.0;
  if (bsp_pid() == 0)
    printf("%d processes: sum of squares up to %d is %.0f\n", bsp_nprocs(), n, sum);
  bsp_end();
  return sum == right ? 0 : 1;
}

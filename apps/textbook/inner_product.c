// SPDX-License-Identifier: BSD-3-Clause
// Computes the inner product of a cyclically distributed vector with itself.
#include "programs.h"

void inner_product(int n) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  double* const partial = malloc((size_t)p * sizeof(double));
  bsp_push_reg(partial, SIZE(p, double));
  bsp_sync();
  double own = 0;
  for (int i = s; i < n; i += p) own += (i + 1.0) * (i + 1.0);
  for (int t = 0; t < p; ++t)
    bsp_put((bsp_pid_t)t, &own, partial, SIZE(s, double), SIZE(1, double));
  bsp_sync();
  double sum = 0;
  for (int t = 0; t < p; ++t) sum += partial[t];
  REQUIRE(sum == n * (n + 1.0) * (2.0 * n + 1.0) / 6.0);
  bsp_pop_reg(partial);
  free(partial);
  bsp_sync();
}

// SPDX-License-Identifier: BSD-3-Clause
// Has the habits of textbook programs: Oxford's and MulticoreBSP's headers, stdout without stdio.h,
// and functions of its own whose names tutti exports as well. wrapper_beside.cpp calls the C++
// interface in the same program, which must not end up in them.
#include <mcbsp.h>
#include "bsp_level1.h"

void broadcast_by_wrapper(int root, int* value);

// The two-phase broadcast of a textbook, with arguments of its own.
void bsp_broadcast(double* x, int n, int src, int s0, int stride, int p0, int s, int phase) {
  const int p = (int)bsp_nprocs();
  (void)s0, (void)stride, (void)p0, (void)phase;
  for (int t = 0; t < p && s == src; ++t)
    bsp_put((bsp_pid_t)t, x, x, 0, (bsp_size_t)((size_t)n * sizeof *x));
}

static int groups = 0;
int bsp_group_split(double of_a_program);
int bsp_group_split(double of_a_program) {
  return groups += (int)of_a_program;
}
static int bsp_alloc(void) {
  return 7;
}

int main(void) {
  bsp_begin(bsp_nprocs());
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  MCBSP_PROCESSOR_INDEX_DATATYPE pid = (MCBSP_PROCESSOR_INDEX_DATATYPE)s;
  MCBSP_BYTESIZE_TYPE size = sizeof(double[2]);
  double x[2] = {s, s + 0.5};
  int value = 100 + s;
  bsp_push_reg(x, size);
  bsp_sync();
  bsp_broadcast(x, 2, p - 1, 0, 1, p, (int)pid, 0);
  bsp_sync();
  broadcast_by_wrapper(p - 1, &value);
  if (x[0] != p - 1 || x[1] != p - 0.5 || value != 99 + p || bsp_group_split(2) != 2 ||
      bsp_alloc() != 7)
    bsp_abort("process %d has %g, %g and %d", s, x[0], x[1], value);
  bsp_sync();
  if (s == 0) fprintf(stdout, "textbook on %d\n", p);
  bsp_end();
  return 0;
}

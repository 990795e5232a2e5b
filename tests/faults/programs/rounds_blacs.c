/* SPDX-License-Identifier: BSD-3-Clause
 * A small job of the BLACS, which starts its own processes where no launcher has: a message around
 * the grid and a sum. */
#include <stdio.h>
#include <tutti-blacs/tutti_blacs.h>

int main(void) {
  int me = 0, n = 0, context = 0;
  Cblacs_pinfo(&me, &n);
  if (n < 1) {
    n = 3;
    Cblacs_setup(&me, &n);
  }
  Cblacs_get(0, 0, &context);
  Cblacs_gridinit(&context, "Row", 1, n);
  double mine[64], theirs[64] = {0};
  for (int i = 0; i < 64; ++i) mine[i] = 100 * me + i;
  Cdgesd2d(context, 8, 8, mine, 8, 0, (me + 1) % n);
  Cdgerv2d(context, 8, 8, theirs, 8, 0, (me + n - 1) % n);
  const double received = theirs[63];
  Cdgsum2d(context, "All", " ", 8, 8, theirs, 8, -1, -1);
  printf("process %d of %d: %.0f, %.0f\n", me, n, received, theirs[63]);
  fflush(stdout);
  Cblacs_gridexit(context);
  Cblacs_exit(0);
  return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Sends matrices around a grid and sums them for ever, on 4 processes or on those of the job.
 * test_random_kills.py kills one of its processes. */
#include <tutti-blacs/tutti_blacs.h>

int main(void) {
  int me = 0, n = 0, context = 0;
  Cblacs_pinfo(&me, &n);
  if (n < 1) {
    n = 4;
    Cblacs_setup(&me, &n);
  }
  Cblacs_get(0, 0, &context);
  Cblacs_gridinit(&context, "Row", 1, n);
  double mine[64] = {0}, theirs[64];
  for (;;) {
    Cdgesd2d(context, 8, 8, mine, 8, 0, (me + 1) % n);
    Cdgerv2d(context, 8, 8, theirs, 8, 0, (me + n - 1) % n);
    Cdgsum2d(context, "All", " ", 8, 8, theirs, 8, -1, -1);
  }
}

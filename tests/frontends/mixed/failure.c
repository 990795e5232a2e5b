/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Failures in a program with several interfaces. The argument names one: who dies, aborts, waits
 * for nothing or makes a wrong call while the others are in calls of other interfaces.
 */
#include <icc.h>
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti-blacs/tutti_blacs.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  double x = 1, work;
  long note = 0;
  int context;
  iCC_initialize();
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", 1, (int)numnodes());
  gsync();
  iCC_gdsum(&x, 1, &work);
  Cblacs_barrier(context, "All");
  const long me = mynode();
  if (strcmp(what, "killed") == 0 && me == 2) abort();
  if (strcmp(what, "left") == 0 && me == 2) _exit(5);
  if (strcmp(what, "aborted") == 0 && me == 2) Cblacs_abort(context, 7);
  if (strcmp(what, "wrong_nx") == 0 && me == 2) csend(-7, &note, sizeof note, 0, 0);
  if (strcmp(what, "wrong_icc") == 0 && me == 2) iCC_bcast(&x, sizeof x, 99);
  if (strcmp(what, "wrong_blacs") == 0 && me == 2) Cdgesd2d(context, 1, 1, &x, 1, 5, 5);
  /* Node 0 waits in NX, node 1 in the BLACS, the others in iCC. */
  if (me == 0) crecv(-1, &note, sizeof note);
  if (me == 1) Cdgerv2d(context, 1, 1, &x, 1, 0, 0);
  if (me >= 2) iCC_gdsum(&x, 1, &work);
  puts("this is never reached");
  return 0;
}

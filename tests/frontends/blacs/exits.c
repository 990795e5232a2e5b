/* SPDX-License-Identifier: BSD-3-Clause
 * Ends four processes without blacs_exit, in the way that the argument names. exits.py knows what
 * the launcher of an MPI must say of each. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tutti-blacs/tutti_blacs.h>
#include <unistd.h>

static char all[] = "All", blank[] = " ", order[] = "Row";
static int context;

static void free_grid(void) {
  Cblacs_gridexit(context);
  Cblacs_exit(0);
}

static void nap(void) {
  const struct timespec while_others_end = {0, 300000000};
  nanosleep(&while_others_end, NULL);
}

static void pause_for_ever(void) {
  for (;;) pause();
}

/* Returns the code with which this process ends. */
static int end(const char* how, int me) {
  double x = 0;
  if (strcmp(how, "code") == 0) return me == 1 ? 3 : 0;
  if (strcmp(how, "codes") == 0) return 3;
  if (strcmp(how, "some_leave") == 0 && me % 2 == 0) Cblacs_exit(0);
  if (strcmp(how, "late") == 0 && me != 0) nap();
  if (strcmp(how, "awaited") == 0 && me == 1) exit(3);
  if (strcmp(how, "awaited") == 0) Cdgsum2d(context, all, blank, 1, 1, &x, 1, -1, -1);
  if (strcmp(how, "left") == 0 && me == 2) Cdgerv2d(context, 1, 1, &x, 1, 0, 1);
  if (strcmp(how, "alone") == 0 && me == 1) return 3;
  if (strcmp(how, "alone") == 0) pause_for_ever();
  if (strcmp(how, "circle") == 0 && me != 1)
    Cdgerv2d(context, 1, 1, &x, 1, 0, me == 0 ? 2 : me == 2 ? 3 : 0);
  if (strcmp(how, "killed") == 0 && me == 1) {
    nap();
    raise(SIGKILL);
  }
  return 0;
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "return";
  int me = 0, n = 0;
  if (strcmp(how, "handler") == 0) atexit(free_grid);
  Cblacs_pinfo(&me, &n);
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, order, 1, n);
  return end(how, me);
}

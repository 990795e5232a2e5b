/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parallel parts one after the other: of 1, 2, 4 and 3 processes, then twice the function that
 * bsp_init has named last. Process 0 prints what each part has computed. Its
 * exit code is the first argument; with a second one it ends without exit handlers.
 */
#include <bsp.h>
#include <bsp_level1.h>
#include <stdlib.h>
#include <unistd.h>

static int parts;

static void sums(int wanted) {
  bsp_begin(wanted);
  const int me = (int)bsp_pid(), p = (int)bsp_nprocs();
  int left = -1;
  bsp_push_reg(&left, sizeof left);
  bsp_sync();
  bsp_put((me + 1) % p, &me, &left, 0, sizeof me);
  bsp_sync();
  const int right = left == (me + p - 1) % p;
  const int all = bsp_all(right), sum = bsp_sumI(me + 1);
  int last = -1;
  bsp_direct_get(p - 1, &left, 0, &last, sizeof last);
  if (me == 0) {
    parts++;
    printf("part %d: %d processes, %s, sum %d, the last has %d\n", parts, p,
           all ? "right" : "wrong", sum, last);
    fflush(stdout);
  }
  bsp_end();
}

static void one(void) {
  sums(1);
}
static void two(void) {
  sums(2);
}
static void four(void) {
  sums(4);
}
static void three(void) {
  sums(3);
}

int main(int argc, char** argv) {
  bsp_init(one, argc, argv);
  bsp_fix_argv(&argc, &argv);
  one();
  bsp_init(two, argc, argv);
  two();
  bsp_init(four, argc, argv);
  four();
  bsp_init(three, argc, argv);
  three();
  three();
  printf("main ends after %d parts, of %d\n", parts, (int)bsp_nprocs());
  fflush(stdout);
  if (argc > 2) _exit(0);
  return argc > 1 ? atoi(argv[1]) : 0;
}

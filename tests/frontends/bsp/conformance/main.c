// SPDX-License-Identifier: BSD-3-Clause
// Tests the conformance of BSPlib: every point on which implementations differ, in its sound form.
// The argument says how many processes may take part, if not all. The driver is compiled once for
// each generation of types.
#include "check.h"

static int wanted = 1000;
static int only_in_process_0 = 0;

static void spmd(void);

static void check_life(void) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  CHECK(p >= 1 && p <= wanted && s >= 0 && s < p);
  // Up to bsp_init, main has run in process 0 alone.
  CHECK(only_in_process_0 == (s == 0 ? 7 : 0));
  const double start = bsp_time();
  CHECK(start >= 0);
  bsp_sync();
  CHECK(bsp_time() >= start);
}

static void check_everything(void) {
  check_registration();
  check_puts_and_gets();
  check_direct_access();
  check_direct_gets();
  check_messages();
  check_level_1();
  check_values();
  check_random_supersteps();
  check_partial_supersteps();
  check_large_supersteps();
}

static void spmd(void) {
  bsp_begin((bsp_nprocs_t)(only_in_process_0 == 7 ? wanted : 0));
  check_life();
  check_everything();
  check_nobody_waits();
  check_groups(check_everything);
  const int s = (int)bsp_pid(), p = (int)bsp_nprocs();
  bsp_end();
  if (s == 0) printf("%d processes conform\n", p);
}

int main(int argc, char** argv) {
  bsp_init(spmd, argc, argv);
  only_in_process_0 = 7;
  if (argc > 1) wanted = atoi(argv[1]);
  CHECK(bsp_nprocs() >= 1);
  spmd();
  return 0;
}

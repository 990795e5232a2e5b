/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Process 0 sets a variable where no other process sees it: for the first part between bsp_init and
 * bsp_begin, for the second behind bsp_end. The third part has nothing of that kind.
 */
#include <bsp.h>
#include <stdlib.h>

static int length, rounds;
static double before;

static void part(void) {
  bsp_begin(2);
  if (bsp_pid() == 1) printf("process 1 has %d, %d\n", length, rounds);
  length = rounds = 7;
  bsp_end();
}

int main(int argc, char** argv) {
  before = argc;
  bsp_init(part, argc, argv);
  length = 5;
  part();
  rounds = 6;
  bsp_init(part, argc, argv);
  part();
  bsp_init(part, argc, argv);
  part();
  return before > 0 ? 0 : 1;
}

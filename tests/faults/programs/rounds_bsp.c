/* SPDX-License-Identifier: BSD-3-Clause
 * A small job of BSP, which starts its own processes where no launcher has: puts, gets and
 * messages, short ones and one that is long. */
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>

enum { many = 100000 };

int main(void) {
  bsp_begin(3);
  const int me = bsp_pid(), n = bsp_nprocs();
  int here = -1, got = -1, mine = 10 * me;
  int* numbers = calloc(many, sizeof *numbers);
  if (numbers == NULL) return 1;
  bsp_push_reg(&here, sizeof here);
  bsp_push_reg(&mine, sizeof mine);
  bsp_push_reg(numbers, many * sizeof *numbers);
  bsp_sync();
  bsp_put((me + 1) % n, &me, &here, 0, sizeof me);
  bsp_get((me + 1) % n, &mine, 0, &got, sizeof got);
  bsp_send((me + 2) % n, NULL, &me, sizeof me);
  bsp_sync();
  int count = 0, message = -1;
  bsp_qsize(&count, NULL);
  if (count > 0) bsp_move(&message, sizeof message);
  for (int i = 0; i < many; ++i) numbers[i] = i + me;
  bsp_hpget((me + 1) % n, numbers, 0, numbers, (many / 2) * sizeof *numbers);
  bsp_sync();
  printf("process %d of %d: %d, %d, %d message: %d\n", me, n, here, got, count, message);
  fflush(stdout);
  bsp_end();
  free(numbers);
  return 0;
}

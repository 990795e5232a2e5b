/* SPDX-License-Identifier: BSD-3-Clause
 * Vectors of BSPlib to and fro: one bsp_put in each superstep. Argument: rounds. */
#include <bsp.h>

#include "turns.h"

static void pass(int from, char* data, int bytes) {
  if (bsp_pid() == from) bsp_put(1 - from, data, data, 0, bytes);
  bsp_sync();
}

int main(int argc, char** argv) {
  bsp_begin(2);
  char* data = calloc(4 << 20, 1);
  bsp_push_reg(data, 4 << 20);
  bsp_sync();
  measure("bsp", bsp_pid(), data, argc > 1 ? atoi(argv[1]) : 1);
  bsp_end();
  free(data);
  return 0;
}

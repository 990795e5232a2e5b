/* SPDX-License-Identifier: BSD-3-Clause
 * Makes supersteps for ever, on 4 processes or on those of the job. test_random_kills.py kills one
 * of its processes. */
#include <bsp.h>

int main(void) {
  bsp_begin(4);
  int here = 0;
  bsp_push_reg(&here, sizeof here);
  bsp_sync();
  for (int step = 0;; ++step) {
    bsp_put((bsp_pid() + 1) % bsp_nprocs(), &step, &here, 0, sizeof step);
    bsp_sync();
  }
}

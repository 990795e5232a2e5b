// SPDX-License-Identifier: BSD-3-Clause
// A program of BSPlib for test_record.py: each process puts a number into the next one and gets
// one.
#include <bsp.h>

int main(void) {
  bsp_begin(bsp_nprocs());
  double here[2] = {0, 0}, there = bsp_pid();
  bsp_push_reg(here, sizeof here);
  bsp_sync();
  bsp_put((bsp_pid() + 1) % bsp_nprocs(), &there, here, 0, sizeof there);
  bsp_sync();
  bsp_get((bsp_pid() + 1) % bsp_nprocs(), here, 0, &there, sizeof there);
  bsp_sync();
  bsp_end();
  return there >= 0 && here[0] >= 0 ? 0 : 1;
}

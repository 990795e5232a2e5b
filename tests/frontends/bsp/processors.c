// SPDX-License-Identifier: BSD-3-Clause
// Prints how many processes bsp_begin could start with a processor for each.
#include <bsp.h>
#include <stdio.h>

int main(void) {
  printf("%d\n", bsp_nprocs());
  bsp_begin(1);
  bsp_end();
  return 0;
}

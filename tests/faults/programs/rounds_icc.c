/* SPDX-License-Identifier: BSD-3-Clause
 * A small job of iCC, for -sz 3 or a launcher: a broadcast and a sum of many numbers. */
#include <icc.h>
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>

enum { many = 20000 };

int main(void) {
  iCC_initialize();
  double* numbers = malloc(many * sizeof *numbers);
  double* work = malloc(many * sizeof *work);
  long root_says = mynode() == 0 ? 42 : 0;
  if (numbers == NULL || work == NULL) return 1;
  for (int i = 0; i < many; ++i) numbers[i] = (double)(mynode() + i);
  iCC_bcast(&root_says, sizeof root_says, 0);
  iCC_gdsum(numbers, many, work);
  printf("node %ld: %ld, %.0f\n", mynode(), root_says, numbers[many - 1]);
  free(numbers);
  free(work);
  return 0;
}

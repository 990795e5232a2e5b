/* SPDX-License-Identifier: BSD-3-Clause
 * A small job of NX, for -sz 3 or a launcher: messages in a circle, a long one, a sum. */
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>

enum { many = 50000 };

int main(void) {
  const long me = mynode(), n = numnodes();
  long mine = 10 * me, theirs = -1, sum = me, work = 0;
  double* numbers = malloc(many * sizeof *numbers);
  if (numbers == NULL) return 1;
  for (int i = 0; i < many; ++i) numbers[i] = (double)(me + i);
  csend(1, &mine, sizeof mine, (me + 1) % n, 0);
  crecv(1, &theirs, sizeof theirs);
  if (me == 0) csend(2, numbers, many * sizeof *numbers, n - 1, 0);
  if (me == n - 1) crecv(2, numbers, many * sizeof *numbers);
  gisum(&sum, 1, &work);
  gsync();
  printf("node %ld of %ld: %ld, %ld, %.0f\n", me, n, theirs, sum, numbers[many - 1]);
  free(numbers);
  return 0;
}

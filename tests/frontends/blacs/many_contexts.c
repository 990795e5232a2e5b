/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes many contexts that live at the same time, each with another order of the processes, and
 * uses some of them. Every context has groups for the grid, its row and its column, so their
 * numbers would clash if they had few bits. Frees every other context and makes it again.
 * Argument: the number of contexts. The number of processes is even.
 */
#include <stdio.h>
#include <stdlib.h>
#include <tutti-blacs/tutti_blacs.h>

enum { most_processes = 64 };

static int my_number, processes;

static int grid_of(int index) {
  int members[most_processes], context = 0;
  for (int i = 0; i < processes; ++i) members[i] = (i + index) % processes;
  Cblacs_get(-1, 0, &context);
  Cblacs_gridmap(&context, members, 2, 2, processes / 2);
  return context;
}

static int sum_is_right(int context) {
  double sum = my_number + 1;
  Cdgsum2d(context, "A", " ", 1, 1, &sum, 1, -1, -1);
  return sum == processes * (processes + 1) / 2.0;
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? atoi(argv[1]) : 0;
  int* const contexts = malloc((size_t)count * sizeof *contexts);
  if (contexts == NULL) return 1;
  int wrong = 0;
  Cblacs_pinfo(&my_number, &processes);
  for (int i = 0; i < count; ++i) contexts[i] = grid_of(i);
  for (int i = 0; i < count; i += 2) Cblacs_gridexit(contexts[i]);
  for (int i = 0; i < count; i += 2) contexts[i] = grid_of(i);
  for (int i = 0; i < count; i += 97) wrong += !sum_is_right(contexts[i]);
  for (int i = 1; i < count; i += 2) wrong += contexts[i] == contexts[i - 1];
  if (wrong != 0) fprintf(stderr, "process %d: %d results are wrong\n", my_number, wrong);
  free(contexts);
  Cblacs_exit(0);
  return wrong != 0;
}

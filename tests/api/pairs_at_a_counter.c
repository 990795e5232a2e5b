/* SPDX-License-Identifier: BSD-3-Clause
 * Three processes use an arrival counter of two in turn. Every release frees exactly two of
 * them, so in the end the numbers of arrivals and of releases are both even. Rank 0 completes
 * the last round. */
#include <stdatomic.h>
#include <stdio.h>
#include <tutti/tutti.h>
#include <tutti/tutti_runtime.h>

enum { arrivals = 20000 };

int main(void) {
  if (tutti_init() != TUTTI_OK) return 1;
  const int me = tutti_rank(tutti_world());
  void* address = NULL;
  if (tutti_record("passed", 3 * 64, &address) != TUTTI_OK) return 1;
  atomic_long* entered = address;
  atomic_long* passed = entered + 8;
  /* The total number of arrivals is even, so no process waits alone as long as each release
   * frees two. */
  while (atomic_fetch_add(entered, 1) < arrivals) {
    if (tutti_arrive("pairs", 2) != TUTTI_OK) return 1;
    atomic_fetch_add(passed, 1);
  }
  if (tutti_barrier(tutti_world()) != TUTTI_OK) return 1;
  if (me == 0 && atomic_load(passed) != arrivals) {
    fprintf(stderr, "%ld of %d went on\n", atomic_load(passed), arrivals);
    return 1;
  }
  return tutti_finalize() == TUTTI_OK ? 0 : 1;
}

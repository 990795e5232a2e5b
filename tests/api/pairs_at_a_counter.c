/* SPDX-License-Identifier: BSD-3-Clause
 * An arrival counter of two that three processes use in turn: every release sets free exactly two,
 * so the numbers of those who come and of those who go on are both even in the end. The last round
 * is completed by rank 0. */
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
  /* Together an even number of arrivals: nobody is left alone as long as each release frees two. */
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

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures the time of a series of calls. From 32 KiB on, every call works on data that were
 * just written. Usual benchmarks do not do this and let a reader find the data in its own cache.
 * The time of the writing is subtracted. The root changes with every call unless one is given:
 * with a fixed root, a series would be a pipeline.
 */
#include <string.h>

#include "driver/driver.h"

enum { rewritten_bytes = 32 * 1024 };

/* Returns how much of the elapsed time was writing. If all ranks have input they write at the
 * same time, else one after the other. */
static double writing_time(const bench_cell* cell, double mine) {
  return bench_operations[cell->op].input == at_root ? library_sum(mine) : mine;
}

double bench_time(const bench_cell* cell, bench_memory* memory, int calls) {
  const size_t bytes = (size_t)bench_input_elements(cell, memory->p) * sizeof(double);
  const int is_long = (size_t)cell->n * sizeof(double) >= rewritten_bytes;
  double writing = 0;
  library_barrier();
  const double start = tutti_bench_seconds();
  for (int call = 0; call < calls; ++call) {
    const int root = memory->root >= 0 ? memory->root : call % memory->p;
    bench_take_input(cell, memory, root);
    if (is_long && bench_has_input(cell, memory, root)) {
      const double before = tutti_bench_seconds();
      memcpy(memory->input, memory->pattern, bytes);
      writing += tutti_bench_seconds() - before;
    }
    (void)library_call(cell->op, root);
  }
  const double elapsed = tutti_bench_seconds() - start;
  return library_max(elapsed - writing_time(cell, writing)) * 1e6 / calls;
}

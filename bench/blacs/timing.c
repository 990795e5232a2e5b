/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures the time of a series of calls. From 32 KiB on, every call works on data that were
 * just written. Usual benchmarks do not do this and let a reader find the data in its own cache.
 * The time of the writing is subtracted.
 */
#include "blacs/driver.h"

enum { rewritten_bytes = 32 * 1024 };

static double largest(const grid* g, double mine) {
  Cdgamx2d(g->context, "All", " ", 1, 1, &mine, 1, NULL, NULL, -1, -1, -1);
  return mine;
}

static double sum(const grid* g, double mine) {
  Cdgsum2d(g->context, "All", " ", 1, 1, &mine, 1, -1, -1);
  return mine;
}

/* Returns how much of the elapsed time was writing. In a combine all processes write at the same
 * time, otherwise one after the other. */
static double writing_time(const grid* g, const cell* c, double mine) {
  if (c->op == op_broadcast) return sum(g, mine);
  if (c->op == op_pair) return 2 * sum(g, mine) / g->p;
  return mine;
}

double time_cell(const grid* g, const cell* c, const memory* mem, int calls) {
  const int combine = c->op == op_sum || c->op == op_amx;
  const int is_long = (size_t)elements(c) * sizeof(double) >= rewritten_bytes;
  double writing = 0;
  const int to_and_fro = 2;
  for (int call = 0; call < (c->op == op_broadcast ? g->p : to_and_fro); ++call)
    call_once(g, c, mem, call);
  Cblacs_barrier(g->context, "All");
  const double start = tutti_bench_seconds();
  for (int call = 0; call < calls; ++call) {
    if (is_long && writes_before(g, c, call)) {
      const double before = tutti_bench_seconds();
      rewrite(c, mem);
      writing += tutti_bench_seconds() - before;
    } else if (combine) {
      /* Without this, the second call would combine results: equal values, growing sums. */
      rewrite(c, mem);
    }
    call_once(g, c, mem, call);
  }
  const double elapsed = tutti_bench_seconds() - start;
  return largest(g, elapsed - writing_time(g, c, writing)) * 1e6 / calls;
}

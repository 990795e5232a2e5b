/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The operations of the BLACS bench: how one call is made, whose data must be written anew, and
 * whether the result is right.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "blacs/driver.h"

const char* const operation_names[op_count] = {"broadcast", "sum", "amx", "pair"};

enum { gap = -7 }; /* value between the columns */

/* Returns small whole numbers, so that sums are exact. Their absolute values differ for up to
 * seven ranks, so that amx has no ties. */
static double value(int rank, int element) {
  const int size = (element % 101 * 7 + rank * 13) % 101 + 1;
  return element % 2 == 0 ? size : -size;
}

void fill_pattern(const memory* mem, int count, int rank) {
  for (int e = 0; e < count; ++e) mem->pattern[e] = value(rank, e);
}

void rewrite(const cell* c, const memory* mem) {
  for (int j = 0; j < c->n; ++j) {
    memcpy(mem->a + (size_t)j * (size_t)c->lda, mem->pattern + (size_t)j * (size_t)c->m,
           (size_t)c->m * sizeof(double));
  }
}

/* Returns the root of a broadcast, which changes with every call: with a fixed root, a series
 * would be a pipeline. */
static int root_of(const grid* g, int call) {
  return call % g->p;
}

static int partner_of(const grid* g) {
  return g->me ^ 1;
}

static void broadcast(const grid* g, const cell* c, const memory* mem, char* top, int root) {
  if (g->me == root) {
    Cdgebs2d(g->context, "All", top, c->m, c->n, mem->a, c->lda);
  } else {
    Cdgebr2d(g->context, "All", top, c->m, c->n, mem->a, c->lda, root / g->columns,
             root % g->columns);
  }
}

/* Processes 2k and 2k+1 are a pair. Even calls send up, odd calls send back. */
static void pair(const grid* g, const cell* c, const memory* mem, int call) {
  const int other = partner_of(g);
  const int row = other / g->columns;
  const int column = other % g->columns;
  if (call % 2 == g->me % 2) {
    Cdgesd2d(g->context, c->m, c->n, mem->a, c->lda, row, column);
  } else {
    Cdgerv2d(g->context, c->m, c->n, mem->a, c->lda, row, column);
  }
}

void call_once(const grid* g, const cell* c, const memory* mem, int call) {
  char top[2] = {c->top, '\0'};
  switch (c->op) {
    case op_broadcast:
      broadcast(g, c, mem, top, root_of(g, call));
      break;
    case op_sum:
      Cdgsum2d(g->context, "All", top, c->m, c->n, mem->a, c->lda, -1, -1);
      break;
    case op_amx:
      Cdgamx2d(g->context, "All", top, c->m, c->n, mem->a, c->lda, mem->ra, mem->ca, c->m, -1, -1);
      break;
    default:
      pair(g, c, mem, call);
  }
}

int writes_before(const grid* g, const cell* c, int call) {
  switch (c->op) {
    case op_broadcast:
      return g->me == root_of(g, call);
    case op_pair:
      return call % 2 == g->me % 2;
    default:
      return 1;
  }
}

static int winner(const grid* g, int element) {
  int best = 0;
  for (int rank = 1; rank < g->p; ++rank) {
    if (fabs(value(rank, element)) > fabs(value(best, element))) best = rank;
  }
  return best;
}

static double expected(const grid* g, const cell* c, int call, int element) {
  double sum = 0;
  switch (c->op) {
    case op_broadcast:
      return value(root_of(g, call), element);
    case op_sum:
      for (int rank = 0; rank < g->p; ++rank) sum += value(rank, element);
      return sum;
    case op_amx:
      return value(winner(g, element), element);
    default:
      return value(call % 2 == g->me % 2 ? g->me : partner_of(g), element);
  }
}

static int element_is_right(const grid* g, const cell* c, const memory* mem, int call,
                            int element) {
  const size_t at = (size_t)(element / c->m) * (size_t)c->lda + (size_t)(element % c->m);
  if (mem->a[at] != expected(g, c, call, element)) return 0;
  if (c->op != op_amx) return 1;
  const int from = winner(g, element);
  return mem->ra[element] == from / g->columns && mem->ca[element] == from % g->columns;
}

static int verify_call(const grid* g, const cell* c, const memory* mem, int call) {
  for (size_t i = 0; i < (size_t)c->lda * (size_t)c->n; ++i) mem->a[i] = gap;
  if (writes_before(g, c, call)) rewrite(c, mem);
  call_once(g, c, mem, call);
  for (int e = 0; e < elements(c); ++e) {
    if (!element_is_right(g, c, mem, call, e)) {
      fprintf(stderr,
              "bench_blacs: %s TOP '%c' %d x %d: process %d has a wrong element %d in call %d\n",
              operation_names[c->op], c->top, c->m, c->n, g->me, e, call);
      return 0;
    }
  }
  for (int j = 0; j < c->n; ++j) {
    for (int i = c->m; i < c->lda; ++i) {
      if (mem->a[(size_t)j * (size_t)c->lda + (size_t)i] != gap) return 0;
    }
  }
  return 1;
}

/* Verifies two calls, from process 0 and from process 1. */
int verify(const grid* g, const cell* c, const memory* mem) {
  const int first = verify_call(g, c, mem, 0);
  return verify_call(g, c, mem, 1) && first;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * blacs_driver NAME ROWS COLUMNS LINES_FILE MAX_CALLS SIZES TOPS SHAPES verifies and times every
 * operation and prints one JSON line per sample on standard output. bench_blacs.py starts it.
 * SIZES has numbers of doubles, with commas. SHAPES is a text of c (contiguous) and l (columns
 * of up to 64 rows, lda = m + 8), for example cl.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blacs/driver.h"

typedef struct {
  const char* name;
  const char* tops;
  const char* shapes;
  int sizes[32];
  int size_count;
  int max_calls;
} request;

static int calls_for(int n, int limit) {
  const int calls = n <= 64       ? 2000
                    : n <= 1024   ? 500
                    : n <= 8192   ? 100
                    : n <= 65536  ? 16
                    : n <= 524288 ? 4
                                  : 2;
  return calls < limit ? calls : limit;
}

static void sample(const grid* g, const request* r, shared_file* shared, const memory* mem,
                   const cell* c) {
  if (!verify(g, c, mem)) Cblacs_abort(g->context, 3);
  const double before = probe(shared, g);
  const double us = time_cell(g, c, mem, calls_for(elements(c), r->max_calls));
  const double after = probe(shared, g);
  if (g->me != 0) return;
  printf(
      "{\"library\":\"%s\",\"grid\":\"%dx%d\",\"op\":\"%s\",\"top\":\"%c\",\"doubles\":%d,"
      "\"shape\":\"%s\",\"us\":%.4f,\"line_us\":%.4f,\"placement\":\"%s\"}\n",
      r->name, g->rows, g->columns, operation_names[c->op], c->top, elements(c),
      c->lda > c->m ? "lda>m" : "contiguous", us, before, tutti_bench_placement(before, after));
  fflush(stdout);
}

static cell make_cell(operation op, char top, int n, char shape) {
  cell c = {op, top, n, 1, n};
  if (shape == 'l') {
    c.m = n < 64 ? n : 64;
    c.n = n / c.m;
    c.lda = c.m + 8;
  }
  return c;
}

static void sample_all(const grid* g, const request* r, shared_file* shared, const memory* mem) {
  for (int s = 0; s < r->size_count; ++s) {
    for (const char* shape = r->shapes; *shape != '\0'; ++shape) {
      for (operation op = 0; op < op_count; ++op) {
        for (const char* top = r->tops; *top != '\0'; ++top) {
          const cell c = make_cell(op, *top, r->sizes[s], *shape);
          sample(g, r, shared, mem, &c);
          if (op == op_pair) break; /* a pair has no TOP */
        }
      }
    }
  }
}

static int parse_sizes(request* r, char* list) {
  for (char* word = strtok(list, ","); word != NULL && r->size_count < 32;
       word = strtok(NULL, ",")) {
    const int size = atoi(word);
    if (size < 1 || (size > 64 && size % 64 != 0)) return 0;
    r->sizes[r->size_count++] = size;
  }
  return r->size_count > 0;
}

static int most_elements(const request* r) {
  int most = 0;
  for (int i = 0; i < r->size_count; ++i) most = r->sizes[i] > most ? r->sizes[i] : most;
  return most;
}

static memory allocate(size_t most) {
  const size_t padded = most / 64 * 72 + 128;
  const memory mem = {malloc(padded * sizeof(double)), malloc(most * sizeof(double)),
                      malloc(most * sizeof(int)), malloc(most * sizeof(int))};
  if (mem.a == NULL || mem.pattern == NULL || mem.ra == NULL || mem.ca == NULL) abort();
  return mem;
}

int main(int argc, char** argv) {
  if (argc != 9) {
    fprintf(stderr,
            "usage: blacs_driver NAME ROWS COLUMNS LINES_FILE MAX_CALLS SIZES TOPS SHAPES\n");
    return 2;
  }
  request r = {argv[1], argv[7], argv[8], {0}, 0, atoi(argv[5])};
  grid g = {0, atoi(argv[2]), atoi(argv[3]), 0, 0};
  shared_file* shared = map_shared_file(argv[4]);
  Cblacs_pinfo(&g.me, &g.p);
  if (shared == NULL || g.p != g.rows * g.columns || g.p < 2 || g.p % 2 != 0 ||
      !parse_sizes(&r, argv[6])) {
    fprintf(stderr, "blacs_driver: %d processes cannot do this\n", g.p);
    return 2;
  }
  Cblacs_get(-1, 0, &g.context);
  Cblacs_gridinit(&g.context, "Row", g.rows, g.columns);
  const int most = most_elements(&r);
  const memory mem = allocate((size_t)most);
  fill_pattern(&mem, most, g.me);
  sample_all(&g, &r, shared, &mem);
  Cblacs_gridexit(g.context);
  Cblacs_exit(0);
  return 0;
}

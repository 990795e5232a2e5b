/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The single driver of the BLACS bench. It is compiled against tutti's BLACS and against the
 * reference's, so it uses only the BLACS and, for the line time, a small file that all its
 * processes map.
 */
#ifndef TUTTI_BENCH_BLACS_DRIVER_H
#define TUTTI_BENCH_BLACS_DRIVER_H

#include <stddef.h>

#include "driver/line_time.h"
#include "tutti-blacs/tutti_blacs.h"

typedef struct {
  int context, rows, columns, p, me;
} grid;

typedef enum { op_broadcast, op_sum, op_amx, op_pair, op_count } operation;
extern const char* const operation_names[op_count];

/* The subject of one sample: an m x n matrix of doubles whose columns are lda apart. */
typedef struct {
  operation op;
  char top;
  int m, n, lda;
} cell;

typedef struct {
  double* a;       /* the array of the calls */
  double* pattern; /* this process's values, without gaps */
  int* ra;
  int* ca;
} memory;

static inline int elements(const cell* c) {
  return c->m * c->n;
}

/* operations.c */
void fill_pattern(const memory* mem, int count, int rank);
void rewrite(const cell* c, const memory* mem);
void call_once(const grid* g, const cell* c, const memory* mem, int call);
int writes_before(const grid* g, const cell* c, int call);
int verify(const grid* g, const cell* c, const memory* mem);

/* Defined in timing.c. Returns the microseconds of one call, without the time to rewrite the
 * data. */
double time_cell(const grid* g, const cell* c, const memory* mem, int calls);

/* probe.c */
typedef struct {
  tutti_bench_lines lines;
  double line_time; /* result of the last probe */
  long probes_done;
} shared_file;
shared_file* map_shared_file(const char* path);
double probe(shared_file* shared, const grid* g);

#endif

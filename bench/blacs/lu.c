/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lu_driver NAME ROWS COLUMNS LINES_FILE N NB SECONDS times ScaLAPACK's LU factorization with
 * partial pivoting of a random N x N matrix in blocks of NB. It repeats the factorization and
 * prints one JSON line per sample on standard output. It checks the factors once: they must
 * solve a system whose solution is known. bench_lu.py starts it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blacs/driver.h"

enum { warm_up_calls = 2, fewest_samples = 5, descriptor_length = 9 };

int numroc_(const int* n, const int* nb, const int* place, const int* first, const int* places);
void descinit_(int* descriptor, const int* m, const int* n, const int* mb, const int* nb,
               const int* row, const int* column, const int* context, const int* ld, int* info);
void pdgetrf_(const int* m, const int* n, double* a, const int* ia, const int* ja,
              const int* descriptor, int* pivots, int* info);
void pdgetrs_(const char* trans, const int* n, const int* nrhs, const double* a, const int* ia,
              const int* ja, const int* descriptor, const int* pivots, double* b, const int* ib,
              const int* jb, const int* described_b, int* info, size_t length);

typedef struct {
  int n, nb, rows, columns; /* rows and columns of this process's part */
  int descriptor[descriptor_length];
  double* a;
  double* original;
  int* pivots;
} system_part;

static const int one = 1, first_process = 0;

/* Returns the element at (i, j), which does not depend on the grid. The diagonal does not
 * dominate, so rows are swapped. */
static double value_at(int i, int j) {
  const unsigned mixed =
      (unsigned)i * 2654435761U ^ ((unsigned)j * 40503U + 0x9e3779b9U) * 2246822519U;
  return (double)((mixed ^ mixed >> 15) * 2654435761U >> 8 & 0xffffU) / 65536.0 - 0.5;
}

static int global_of(int local, int nb, int place, int places) {
  return (local / nb * places + place) * nb + local % nb;
}

static system_part make_system(const grid* g, int n, int nb, int my_row, int my_column) {
  system_part s = {n, nb, 0, 0, {0}, NULL, NULL, NULL};
  s.rows = numroc_(&n, &nb, &my_row, &first_process, &g->rows);
  s.columns = numroc_(&n, &nb, &my_column, &first_process, &g->columns);
  const int ld = s.rows > 0 ? s.rows : 1;
  int info = 0;
  descinit_(s.descriptor, &n, &n, &nb, &nb, &first_process, &first_process, &g->context, &ld,
            &info);
  const size_t bytes = ((size_t)s.rows * (size_t)s.columns + 1) * sizeof(double);
  s.a = malloc(bytes);
  s.original = malloc(bytes);
  s.pivots = malloc(((size_t)s.rows + (size_t)nb) * sizeof(int));
  if (info != 0 || s.a == NULL || s.original == NULL || s.pivots == NULL) abort();
  for (int j = 0; j < s.columns; ++j) {
    for (int i = 0; i < s.rows; ++i) {
      s.original[(size_t)j * (size_t)s.rows + (size_t)i] =
          value_at(global_of(i, nb, my_row, g->rows), global_of(j, nb, my_column, g->columns));
    }
  }
  return s;
}

static double factorize(const grid* g, const system_part* s) {
  int info = 0;
  memcpy(s->a, s->original, (size_t)s->rows * (size_t)s->columns * sizeof(double));
  Cblacs_barrier(g->context, "All");
  const double start = tutti_bench_seconds();
  pdgetrf_(&s->n, &s->n, s->a, &one, &one, s->descriptor, s->pivots, &info);
  double took = tutti_bench_seconds() - start;
  if (info != 0) Cblacs_abort(g->context, 3);
  Cdgamx2d(g->context, "All", " ", 1, 1, &took, 1, NULL, NULL, -1, -1, -1);
  return took;
}

/* Solves A x = b with x = (1, ..., 1), so b holds the sum of each row. */
static int solves(const grid* g, const system_part* s, int my_column) {
  const int ld = s->rows > 0 ? s->rows : 1;
  int described[descriptor_length], info = 0;
  double worst = 0;
  double* b = calloc((size_t)ld, sizeof(double));
  if (b == NULL) abort();
  descinit_(described, &s->n, &one, &s->nb, &s->nb, &first_process, &first_process, &g->context,
            &ld, &info);
  for (int j = 0; j < s->columns; ++j) {
    for (int i = 0; i < s->rows; ++i) b[i] += s->original[(size_t)j * (size_t)s->rows + (size_t)i];
  }
  Cdgsum2d(g->context, "Row", " ", ld, 1, b, ld, -1, -1);
  pdgetrs_("N", &s->n, &one, s->a, &one, &one, s->descriptor, s->pivots, b, &one, &one, described,
           &info, 1);
  for (int i = 0; my_column == 0 && i < s->rows; ++i) worst = fmax(worst, fabs(b[i] - 1));
  free(b);
  Cdgamx2d(g->context, "All", " ", 1, 1, &worst, 1, NULL, NULL, -1, -1, -1);
  return info == 0 && worst < 1e-7;
}

static void sample_for(const char* name, double seconds, const grid* g, const system_part* s,
                       shared_file* shared) {
  const double start = tutti_bench_seconds();
  for (int taken = 0;; ++taken) {
    double over = tutti_bench_seconds() - start > seconds && taken >= fewest_samples;
    Cdgamx2d(g->context, "All", " ", 1, 1, &over, 1, NULL, NULL, -1, -1, -1);
    if (over > 0.5) return;
    const double before = probe(shared, g);
    const double took = factorize(g, s);
    const double after = probe(shared, g);
    if (g->me != 0) continue;
    printf(
        "{\"library\":\"%s\",\"grid\":\"%dx%d\",\"n\":%d,\"nb\":%d,\"us\":%.1f,\"line_us\":%.4f,"
        "\"placement\":\"%s\"}\n",
        name, g->rows, g->columns, s->n, s->nb, took * 1e6, before,
        tutti_bench_placement(before, after));
    fflush(stdout);
  }
}

int main(int argc, char** argv) {
  if (argc != 8) {
    fprintf(stderr, "usage: lu_driver NAME ROWS COLUMNS LINES_FILE N NB SECONDS\n");
    return 2;
  }
  grid g = {0, atoi(argv[2]), atoi(argv[3]), 0, 0};
  const int n = atoi(argv[5]), nb = atoi(argv[6]);
  shared_file* shared = map_shared_file(argv[4]);
  int my_row = 0, my_column = 0;
  Cblacs_pinfo(&g.me, &g.p);
  if (shared == NULL || g.p != g.rows * g.columns || g.p < 2 || n < 1 || nb < 1) {
    fprintf(stderr, "lu_driver: %d processes cannot do this\n", g.p);
    return 2;
  }
  Cblacs_get(-1, 0, &g.context);
  Cblacs_gridinit(&g.context, "Row", g.rows, g.columns);
  Cblacs_gridinfo(g.context, &g.rows, &g.columns, &my_row, &my_column);
  const system_part s = make_system(&g, n, nb, my_row, my_column);
  for (int call = 0; call < warm_up_calls; ++call) factorize(&g, &s);
  if (!solves(&g, &s, my_column)) {
    fprintf(stderr, "lu_driver: the factors do not solve the system\n");
    Cblacs_abort(g.context, 3);
  }
  sample_for(argv[1], atof(argv[7]), &g, &s, shared);
  Cblacs_gridexit(g.context);
  Cblacs_exit(0);
  return 0;
}

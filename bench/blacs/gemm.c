/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemm_driver ROWS COLUMNS N NB RUNS times ScaLAPACK's product of two N x N matrices in blocks of
 * NB, and prints the seconds of each run on standard output. Before, it checks a product whose
 * result is known. bench_apps.py starts it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "driver/line_time.h"
#include "tutti-blacs/tutti_blacs.h"

enum { descriptor_length = 9 };

int numroc_(const int* n, const int* nb, const int* place, const int* first, const int* places);
void descinit_(int* descriptor, const int* m, const int* n, const int* mb, const int* nb,
               const int* row, const int* column, const int* context, const int* ld, int* info);
void pdgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k,
             const double* alpha, const double* a, const int* ia, const int* ja,
             const int* described_a, const double* b, const int* ib, const int* jb,
             const int* described_b, const double* beta, double* c, const int* ic, const int* jc,
             const int* described_c, size_t length_a, size_t length_b);

typedef struct {
  int context, rows, columns, my_row, my_column;
  int n, nb;
  int local_rows, local_columns;
  int descriptor[descriptor_length];
} layout;

static double* make_matrix(const layout* g, double (*value)(const layout* g, int i, int j)) {
  double* const a = malloc(((size_t)g->local_rows * (size_t)g->local_columns + 1) * sizeof(double));
  if (a == NULL) abort();
  for (int j = 0; j < g->local_columns; ++j) {
    for (int i = 0; i < g->local_rows; ++i) {
      const int row = (i / g->nb * g->rows + g->my_row) * g->nb + i % g->nb;
      const int column = (j / g->nb * g->columns + g->my_column) * g->nb + j % g->nb;
      a[(size_t)j * (size_t)g->local_rows + (size_t)i] = value(g, row, column);
    }
  }
  return a;
}
static double some_value(const layout* g, int i, int j) {
  (void)g;
  return (double)((i * 7919 + j * 104729) % 1009) / 1009 - 0.5;
}
/* The matrix that moves columns to the right; the last one becomes the first. */
static double shift(const layout* g, int i, int j) {
  return (i + 1) % g->n == j ? 1 : 0;
}
static double shifted_value(const layout* g, int i, int j) {
  return some_value(g, i, (j + g->n - 1) % g->n);
}

static double multiply(const layout* g, const double* a, const double* b, double* c) {
  const int one = 1;
  const double factor = 1, zero = 0;
  Cblacs_barrier(g->context, "All");
  const double start = tutti_bench_seconds();
  pdgemm_("N", "N", &g->n, &g->n, &g->n, &factor, a, &one, &one, g->descriptor, b, &one, &one,
          g->descriptor, &zero, c, &one, &one, g->descriptor, 1, 1);
  double took = tutti_bench_seconds() - start;
  Cdgamx2d(g->context, "All", " ", 1, 1, &took, 1, NULL, NULL, -1, -1, -1);
  return took;
}

static int is_right(const layout* g, const double* a, double* c) {
  double* const b = make_matrix(g, shift);
  double* const expected = make_matrix(g, shifted_value);
  multiply(g, a, b, c);
  double wrong = 0;
  for (size_t i = 0; i < (size_t)g->local_rows * (size_t)g->local_columns; ++i)
    wrong += c[i] != expected[i];
  Cdgsum2d(g->context, "All", " ", 1, 1, &wrong, 1, -1, -1);
  free(expected);
  free(b);
  return wrong == 0;
}

static layout make_layout(char** words) {
  layout g = {0, atoi(words[1]), atoi(words[2]), 0, 0, atoi(words[3]), atoi(words[4]), 0, 0, {0}};
  const int first = 0;
  int me = 0, processes = 0, info = 0;
  Cblacs_pinfo(&me, &processes);
  if (processes != g.rows * g.columns || g.n < 1 || g.nb < 1) {
    fprintf(stderr, "gemm_driver: %d processes cannot do this\n", processes);
    exit(2);
  }
  Cblacs_get(-1, 0, &g.context);
  Cblacs_gridinit(&g.context, "Row", g.rows, g.columns);
  Cblacs_gridinfo(g.context, &g.rows, &g.columns, &g.my_row, &g.my_column);
  g.local_rows = numroc_(&g.n, &g.nb, &g.my_row, &first, &g.rows);
  g.local_columns = numroc_(&g.n, &g.nb, &g.my_column, &first, &g.columns);
  const int ld = g.local_rows > 0 ? g.local_rows : 1;
  descinit_(g.descriptor, &g.n, &g.n, &g.nb, &g.nb, &first, &first, &g.context, &ld, &info);
  if (info != 0) abort();
  return g;
}

int main(int argc, char** argv) {
  if (argc != 6) {
    fprintf(stderr, "usage: gemm_driver ROWS COLUMNS N NB RUNS\n");
    return 2;
  }
  const layout g = make_layout(argv);
  double* const a = make_matrix(&g, some_value);
  double* const b = make_matrix(&g, some_value);
  double* const c = make_matrix(&g, some_value);
  if (!is_right(&g, a, c)) {
    fprintf(stderr, "gemm_driver: the product is wrong\n");
    Cblacs_abort(g.context, 3);
  }
  multiply(&g, a, b, c);
  for (int run = 0; run < atoi(argv[5]); ++run) {
    const double took = multiply(&g, a, b, c);
    if (g.my_row == 0 && g.my_column == 0) printf("%.9f\n", took);
  }
  free(a);
  free(b);
  free(c);
  Cblacs_gridexit(g.context);
  Cblacs_exit(0);
  return 0;
}

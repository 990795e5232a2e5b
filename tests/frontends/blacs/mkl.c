/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A product, an LU factorisation and eigenvalues by the ScaLAPACK of Intel's MKL, on a grid of two
 * rows. The results are known. mkl.py links this program with our BLACS before MKL's, and the
 * program prints whose BLACS it has.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void Cblacs_pinfo(int*, int*);
void Cblacs_get(int, int, int*);
void Cblacs_gridinit(int*, char*, int, int);
void Cblacs_gridinfo(int, int*, int*, int*, int*);
void Cblacs_gridexit(int);
void Cblacs_exit(int);
int numroc_(const int*, const int*, const int*, const int*, const int*);
void descinit_(int*, const int*, const int*, const int*, const int*, const int*, const int*,
               const int*, const int*, int*);
void pdgemm_(const char*, const char*, const int*, const int*, const int*, const double*,
             const double*, const int*, const int*, const int*, const double*, const int*,
             const int*, const int*, const double*, double*, const int*, const int*, const int*);
void pdgetrf_(const int*, const int*, double*, const int*, const int*, const int*, int*, int*);
void pdgetrs_(const char*, const int*, const int*, const double*, const int*, const int*,
              const int*, const int*, double*, const int*, const int*, const int*, int*);
void pdsyev_(const char*, const char*, const int*, double*, const int*, const int*, const int*,
             double*, double*, const int*, const int*, const int*, double*, const int*, int*);

enum { n = 300, block = 32 };
static const int one = 1, zero = 0, order = n, width = block;
static int context, rows, columns, my_row, my_column;

typedef struct {
  int desc[9], m, k; /* local rows and columns */
  double* a;
} matrix;

/* The place in the whole matrix of a local row or column. */
static int place(int local, int mine, int count) {
  return (local / block * count + mine) * block + local % block;
}

static matrix filled(double (*value)(int, int)) {
  matrix made;
  int info;
  made.m = numroc_(&order, &width, &my_row, &zero, &rows);
  made.k = numroc_(&order, &width, &my_column, &zero, &columns);
  const int ld = made.m > 0 ? made.m : 1;
  descinit_(made.desc, &order, &order, &width, &width, &zero, &zero, &context, &ld, &info);
  made.a = calloc((size_t)ld * (size_t)(made.k + 1), sizeof *made.a);
  for (int j = 0; j < made.k; ++j)
    for (int i = 0; i < made.m; ++i)
      made.a[i + j * ld] = value(place(i, my_row, rows), place(j, my_column, columns));
  return made;
}

/* Returns the largest difference from what `value` says, on all processes. */
static double difference(const matrix* found, double (*value)(int, int)) {
  double most = 0, all;
  for (int j = 0; j < found->k; ++j)
    for (int i = 0; i < found->m; ++i)
      most = fmax(most, fabs(found->a[i + j * found->m] -
                             value(place(i, my_row, rows), place(j, my_column, columns))));
  MPI_Allreduce(&most, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

static double nothing(int i, int j) {
  return (void)i, (void)j, 0;
}
static double left(int i, int j) {
  return (3 * i + 5 * j) % 7 - 3;
}
static double right(int i, int j) {
  return (2 * i + 3 * j) % 5 - 2;
}
static double product(int i, int j) {
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += left(i, k) * right(k, j);
  return sum;
}
/* A matrix that has to be pivoted, and its product with a solution of ones. */
static double general(int i, int j) {
  return i == j ? 1e-3 : (7 * i + 11 * j) % 13 - 6 + 0.01 * i;
}
static double sums(int i, int j) {
  double sum = 0;
  if (j > 0) return 0;
  for (int k = 0; k < n; ++k) sum += general(i, k);
  return sum;
}
static double ones(int i, int j) {
  return (void)i, j == 0;
}
static double chain(int i, int j) {
  return i == j ? 2 : abs(i - j) == 1 ? -1 : 0;
}

static double of_product(void) {
  const double factor = 1, no = 0;
  const matrix a = filled(left), b = filled(right), c = filled(nothing);
  pdgemm_("N", "N", &order, &order, &order, &factor, a.a, &one, &one, a.desc, b.a, &one, &one,
          b.desc, &no, c.a, &one, &one, c.desc);
  return difference(&c, product);
}

static double of_solution(void) {
  const matrix a = filled(general), b = filled(sums);
  int* const pivots = malloc(sizeof *pivots * (size_t)(a.m + block));
  int info;
  pdgetrf_(&order, &order, a.a, &one, &one, a.desc, pivots, &info);
  if (info == 0)
    pdgetrs_("N", &order, &one, a.a, &one, &one, a.desc, pivots, b.a, &one, &one, b.desc, &info);
  return info == 0 ? difference(&b, ones) : 1;
}

static double of_eigenvalues(void) {
  const matrix a = filled(chain), z = filled(nothing);
  double values[n], most = 0, room;
  int info, query = -1;
  pdsyev_("V", "U", &order, a.a, &one, &one, a.desc, values, z.a, &one, &one, z.desc, &room, &query,
          &info);
  query = (int)room + 1000;
  double* const work = malloc(sizeof *work * (size_t)query);
  pdsyev_("V", "U", &order, a.a, &one, &one, a.desc, values, z.a, &one, &one, z.desc, work, &query,
          &info);
  for (int k = 0; k < n; ++k)
    most = fmax(most, fabs(values[k] - (2 - 2 * cos(acos(-1.0) * (k + 1) / (n + 1)))));
  return info == 0 ? most : 1;
}

/* Returns the name of the file that MKL's calls of the BLACS reach. */
static const char* library(void) {
  Dl_info found;
  if (dladdr(dlsym(RTLD_DEFAULT, "Cdgesd2d"), &found) == 0) return "none";
  const char* const slash = strrchr(found.dli_fname, '/');
  return slash == NULL ? found.dli_fname : slash + 1;
}

int main(int argc, char** argv) {
  int me, count;
  MPI_Init(&argc, &argv);
  Cblacs_pinfo(&me, &count);
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "R", 2, count / 2);
  Cblacs_gridinfo(context, &rows, &columns, &my_row, &my_column);
  const double found[] = {of_product(), of_solution(), of_eigenvalues()};
  if (me == 0)
    printf("%s: errors of the product %.1e, solution %.1e, eigenvalues %.1e\n", library(), found[0],
           found[1], found[2]);
  Cblacs_gridexit(context);
  Cblacs_exit(1);
  MPI_Finalize();
  return found[0] == 0 && found[1] < 1e-9 && found[2] < 1e-12 ? 0 : 1;
}

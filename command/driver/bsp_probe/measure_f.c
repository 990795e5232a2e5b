/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures the time per operation of a dot product, of a matrix product by three loops, and of
 * dgemm. An addition and a multiplication are two operations.
 */
#include <bsp.h>
#include <stdlib.h>

#include "measure.h"

int measure_series = 5;
double measure_seconds = 20e-6;

#define TUTTI_DOT(name, type, count)                                           \
  static void name(int n, const void* left, const void* right, void* result) { \
    const type *x = left, *y = right;                                          \
    type sum = 0;                                                              \
    for (int i = 0; i < n; ++i) sum += x[i] * y[i];                            \
    *(type*)result = sum;                                                      \
  }
TUTTI_DOT(dot_double, double, n)
TUTTI_DOT(dot_int, unsigned int, n)

#define TUTTI_LOOP(name, type)                                                 \
  static void name(int n, const void* left, const void* right, void* result) { \
    const type *a = left, *b = right;                                          \
    type* c = result;                                                          \
    for (int i = 0; i < n; ++i) {                                              \
      for (int j = 0; j < n; ++j) {                                            \
        type sum = 0;                                                          \
        for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];        \
        c[i * n + j] = sum;                                                    \
      }                                                                        \
    }                                                                          \
  }
TUTTI_LOOP(loop_double, double)
TUTTI_LOOP(loop_int, unsigned int)

#ifdef TUTTI_PROBE_BLAS
void dgemm_(const char* ta, const char* tb, const int* m, const int* n, const int* k,
            const double* alpha, const double* a, const int* lda, const double* b, const int* ldb,
            const double* beta, double* c, const int* ldc);
static void dgemm(int n, const void* left, const void* right, void* result) {
  const double one = 1, zero = 0;
  dgemm_("N", "N", &n, &n, &n, &one, left, &n, right, &n, &zero, result, &n);
}
#endif

double measure_run(void (*run)(void* context), void* context, double operations) {
  double best = 1e30;
  for (int series = 0; series < measure_series; ++series) {
    int repeats = 0;
    bsp_sync();
    const double start = bsp_time();
    double elapsed = 0;
    do {
      run(context);
      ++repeats;
      elapsed = bsp_time() - start;
    } while (elapsed < 50 * measure_seconds);
    const double each = elapsed / (repeats * operations);
    if (each < best) best = each;
  }
  return best;
}

typedef void (*kernel)(int n, const void* left, const void* right, void* result);

typedef struct {
  kernel run;
  int n;
  const void *left, *right;
  void* result;
} kernel_call;

static void call_kernel(void* context) {
  const kernel_call* call = context;
  call->run(call->n, call->left, call->right, call->result);
}

/* Each operand has `items` of `bytes` each. All processes compute at the same time. */
static double time_kernel(kernel run, int n, size_t items, size_t bytes, double operations) {
  unsigned char* const memory = malloc(3 * items * bytes);
  for (size_t i = 0; i < 3 * items * bytes; ++i) memory[i] = 0;
  for (size_t i = 0; i < 2 * items; ++i) {
    if (bytes == sizeof(double)) ((double*)(void*)memory)[i] = 1.0 / (double)(i + 1);
    if (bytes == sizeof(unsigned int)) ((unsigned int*)(void*)memory)[i] = (unsigned int)i;
  }
  kernel_call call = {run, n, memory, memory + items * bytes, memory + 2 * items * bytes};
  const double best = measure_run(call_kernel, &call, operations);
  free(memory);
  return best;
}

double measure_f_dot_double(int n) {
  return time_kernel(dot_double, n, (size_t)n, sizeof(double), 2.0 * n);
}
double measure_f_dot_int(int n) {
  return time_kernel(dot_int, n, (size_t)n, sizeof(unsigned int), 2.0 * n);
}
double measure_f_loop_double(int n) {
  return time_kernel(loop_double, n, (size_t)n * (size_t)n, sizeof(double), 2.0 * n * n * n);
}
double measure_f_loop_int(int n) {
  return time_kernel(loop_int, n, (size_t)n * (size_t)n, sizeof(unsigned int), 2.0 * n * n * n);
}
double measure_f_dgemm(int n) {
#ifdef TUTTI_PROBE_BLAS
  return time_kernel(dgemm, n, (size_t)n * (size_t)n, sizeof(double), 2.0 * n * n * n);
#else
  (void)n;
  return 0;
#endif
}

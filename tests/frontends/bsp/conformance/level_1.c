// SPDX-License-Identifier: BSD-3-Clause
// Tests the collectives of level 1 with every root, many sizes, and an operator that is associative
// but does not commute.
#include "check.h"

// Multiplies 2 x 2 matrices modulo a prime, as many as fit.
static void multiply(void* result, void* left, void* right, int* size) {
  const uint32_t *a = left, *b = right;
  uint32_t* c = result;
  for (int i = 0; i < *size / (int)(4 * sizeof *a); ++i, a += 4, b += 4, c += 4) {
    const uint32_t product[4] = {
        (a[0] * b[0] + a[1] * b[2]) % 9973, (a[0] * b[1] + a[1] * b[3]) % 9973,
        (a[2] * b[0] + a[3] * b[2]) % 9973, (a[2] * b[1] + a[3] * b[3]) % 9973};
    memcpy(c, product, sizeof product);
  }
}

static void add(void* result, void* left, void* right, int* size) {
  double sum = 0;
  CHECK(*size == sizeof sum);
  sum = *(double*)left + *(double*)right;
  memcpy(result, &sum, sizeof sum);
}

static void folds(int matrices) {
  enum { most = 5 };
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  uint32_t own[4 * most], found[4 * most], expected[4 * most], scanned[4 * most];
  int size = matrices * 4 * (int)sizeof(uint32_t);
  for (int other = 0; other < p; ++other) {
    uint32_t theirs[4 * most], before[4 * most];
    for (int i = 0; i < 4 * matrices; ++i) theirs[i] = (uint32_t)(other * 31 + i * 7 + 3);
    memcpy(before, expected, sizeof before);
    if (other == 0) memcpy(expected, theirs, sizeof theirs);
    if (other > 0) multiply(expected, before, theirs, &size);
    if (other == s) memcpy(own, theirs, sizeof own);
    if (other == s) memcpy(scanned, expected, sizeof scanned);
  }
  bsp_fold(multiply, own, found, (bsp_size_t)size);
  CHECK(memcmp(found, expected, (size_t)size) == 0);
  bsp_scan(multiply, own, found, (bsp_size_t)size);
  CHECK(memcmp(found, scanned, (size_t)size) == 0);
  const double one = s + 1;
  double sum = 0;
  bsp_fold(add, &one, &sum, BYTES(sum));
  CHECK(sum == p * (p + 1) / 2.0);
  bsp_scan(add, &one, &sum, BYTES(sum));
  CHECK(sum == (s + 1) * (s + 2) / 2.0);
}

static void moves(int root, int n) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  const bsp_size_t size = (bsp_size_t)((size_t)n * sizeof(int));
  int* const own = malloc((size_t)n * sizeof(int) + 1);
  int* const got = malloc((size_t)n * sizeof(int) + 1);
  int* const all = malloc((size_t)(n * p) * sizeof(int) + 1);
  int* const back = malloc((size_t)(n * p) * sizeof(int) + 1);
  for (int i = 0; i < n; ++i) own[i] = mark(s, i);
  bsp_bcast((bsp_pid_t)root, own, got, size);
  for (int i = 0; i < n; ++i) CHECK(got[i] == mark(root, i) && own[i] == mark(s, i));
  memcpy(got, own, (size_t)size);
  bsp_broadcast((bsp_pid_t)root, got, size);
  for (int i = 0; i < n; ++i) CHECK(got[i] == mark(root, i));
  bsp_gather((bsp_pid_t)root, own, all, size);
  for (int i = 0; s == root && i < n * p; ++i) CHECK(all[i] == mark(i / n, i % n));
  bsp_scatter((bsp_pid_t)root, all, got, size);
  for (int i = 0; i < n; ++i) CHECK(got[i] == own[i]);
  for (int i = 0; i < n * p; ++i) all[i] = mark(s, i);
  bsp_total_exchange(all, back, size);
  for (int i = 0; i < n * p; ++i) CHECK(back[i] == mark(i / n, s * n + i % n));
  // Process q gets q % 3 of the n / 3 parts of every process's vector.
  bsp_size_t* const sizes = malloc((size_t)p * sizeof *sizes);
  bsp_size_t* const own_sizes = malloc((size_t)p * sizeof *sizes);
  for (int q = 0; q < p; ++q) sizes[q] = (bsp_size_t)((size_t)(n / 3 * (q % 3)) * sizeof(int));
  for (int q = 0; q < p; ++q) own_sizes[q] = sizes[s];
  bsp_total_exchangev(all, sizes, back, own_sizes);
  const int part = n / 3 * (s % 3);
  int before = 0;
  for (int q = 0; q < s; ++q) before += n / 3 * (q % 3);
  for (int i = 0; i < part * p; ++i) CHECK(back[i] == mark(i / part, before + i % part));
  free(sizes);
  free(own_sizes);
  free(own);
  free(got);
  free(all);
  free(back);
}

void check_level_1(void) {
  for (int matrices = 1; matrices <= 5; ++matrices) folds(matrices);
  for (int root = 0; root < (int)bsp_nprocs(); ++root) {
    moves(root, 0);
    moves(root, 1);
    moves(root, 333);
  }
  bsp_sync();
}

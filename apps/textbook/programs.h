// SPDX-License-Identifier: BSD-3-Clause
// Declares programs as textbooks on BSP write them. Each checks its own result and ends all
// processes if it is wrong.
#pragma once

#include <bsp.h>
#include <bsp_tutti.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUIRE(condition)                                                             \
  do {                                                                                 \
    if (!(condition)) bsp_abort("%s:%d: %s is false", __FILE__, __LINE__, #condition); \
  } while (0)
#define SIZE(count, type) ((bsp_size_t)((size_t)(count) * sizeof(type)))

// Returns how many of n elements process s of p has in the cyclic distribution.
static inline int cyclic(int p, int s, int n) {
  return (n + p - s - 1) / p;
}
// Returns the first element of process s in the block distribution.
static inline int block(int p, int s, int n) {
  return (int)((long long)n * s / p);
}

void inner_product(int n);
void lu(int n);
void fft(int n);
void matrix_product(int n);
void sparse_matrix_vector(int n);
void sample_sort(int n);
void sieve(int n);
void pagerank(int n);

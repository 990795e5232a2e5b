/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures the time per comparison of two ways to compute the length of the longest common
 * subsequence of two random strings over 8 letters: by dynamic programming, and with 64 entries
 * of a row in a word (paper 003, figures 5.3 and 5.7). Two strings of n letters need n^2
 * comparisons.
 */
#include <bsp.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

enum { letters = 8 };

typedef struct {
  int n, words;
  unsigned char *x, *y;   /* n letters each */
  unsigned* row;          /* n + 1 entries */
  unsigned long long* r;  /* a row of differences, inverted */
  unsigned long long* in; /* for each letter, its positions in y */
} strings;

static unsigned max(unsigned a, unsigned b) {
  return a > b ? a : b;
}

static int simple(const strings* of) {
  memset(of->row, 0, sizeof *of->row * ((size_t)of->n + 1));
  for (int i = 0; i < of->n; ++i) {
    unsigned diagonal = 0;
    for (int j = 1; j <= of->n; ++j) {
      const unsigned above = of->row[j];
      of->row[j] = of->x[i] == of->y[j - 1] ? diagonal + 1 : max(above, of->row[j - 1]);
      diagonal = above;
    }
  }
  return (int)of->row[of->n];
}

static int bit_parallel(const strings* of) {
  memset(of->in, 0, sizeof *of->in * (size_t)of->words * letters);
  for (int j = 0; j < of->n; ++j) of->in[of->y[j] * of->words + j / 64] |= 1ULL << j % 64;
  memset(of->r, 0xff, sizeof *of->r * (size_t)of->words);
  for (int i = 0; i < of->n; ++i) {
    const unsigned long long* const m = of->in + of->x[i] * of->words;
    unsigned long long carry = 0;
    for (int k = 0; k < of->words; ++k) {
      const unsigned long long r = of->r[k], both = r & m[k];
      unsigned long long sum;
      const unsigned first = __builtin_add_overflow(r, both, &sum),
                     second = __builtin_add_overflow(sum, carry, &sum);
      of->r[k] = sum | (r & ~m[k]);
      carry = first | second;
    }
  }
  int length = 0;
  for (int j = 0; j < of->n; ++j) length += (of->r[j / 64] >> j % 64 & 1) == 0;
  return length;
}

static strings random_strings(int n) {
  strings made = {.n = n, .words = (n + 63) / 64};
  unsigned seed = 20101U + (unsigned)bsp_pid();
  made.x = malloc((size_t)n);
  made.y = malloc((size_t)n);
  made.row = malloc(sizeof *made.row * ((size_t)n + 1));
  made.r = malloc(sizeof *made.r * (size_t)made.words);
  made.in = malloc(sizeof *made.in * (size_t)made.words * letters);
  for (int i = 0; i < 2 * n; ++i) {
    seed = seed * 1664525U + 1013904223U;
    (i < n ? made.x : made.y)[i % n] = (unsigned char)(seed >> 24) % letters;
  }
  return made;
}

static void free_strings(const strings* of) {
  free(of->x);
  free(of->y);
  free(of->row);
  free(of->r);
  free(of->in);
}

typedef struct {
  int (*run)(const strings*);
  strings of;
  int expected, wrong;
} comparison;

static void compare(void* context) {
  comparison* const mine = context;
  mine->wrong |= mine->run(&mine->of) != mine->expected;
}

double measure_llcs(llcs_way way, int n) {
  comparison mine = {.run = way == by_table ? simple : bit_parallel, .of = random_strings(n)};
  mine.expected = simple(&mine.of);
  const double best = measure_run(compare, &mine, (double)n * n);
  if (mine.wrong) bsp_abort("the two ways disagree about strings of %d letters", n);
  free_strings(&mine.of);
  return best;
}

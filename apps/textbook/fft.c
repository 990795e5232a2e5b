// SPDX-License-Identifier: BSD-3-Clause
// Fast Fourier transform by transposition, n = rows x columns: transforms along one direction,
// twiddle factors, a total exchange by puts, and transforms along the other direction. It runs with
// any number of processes, because rows are distributed in blocks.
#include "programs.h"

static const double tau = 6.283185307179586476925;

typedef struct {
  double re, im;
} Complex;

static Complex times(Complex a, Complex b) {
  return (Complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static Complex root(long k, long n) {
  return (Complex){cos(tau * (double)(k % n) / (double)n), -sin(tau * (double)(k % n) / (double)n)};
}

// Computes a short transform by its definition.
static void transform(Complex* x, int n, Complex* work) {
  for (int k = 0; k < n; ++k) {
    work[k] = (Complex){0, 0};
    for (int j = 0; j < n; ++j) {
      const Complex term = times(x[j], root((long)j * k, n));
      work[k].re += term.re;
      work[k].im += term.im;
    }
  }
  memcpy(x, work, (size_t)n * sizeof *x);
}

// `in` has this process's rows of a rows x columns matrix, `out` gets its rows of the transposed
// one.
static void transpose(const Complex* in, Complex* out, int rows, int columns) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  const int first = block(p, s, rows), end = block(p, s + 1, rows);
  for (int t = 0; t < p; ++t) {
    for (int j = block(p, t, columns); j < block(p, t + 1, columns); ++j) {
      for (int i = first; i < end; ++i) {
        const int place = (j - block(p, t, columns)) * rows + i;
        bsp_put((bsp_pid_t)t, &in[(i - first) * columns + j], out, SIZE(place, Complex),
                SIZE(1, Complex));
      }
    }
  }
  bsp_sync();
}

void fft(int n) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  int rows = 1;
  while (rows * rows < n) rows *= 2;
  const int columns = n / rows;
  // x[columns * i + j] is in row i and column j. Transforms along i come first, so the program
  // starts from the transposed matrix.
  const int own_columns = block(p, s + 1, columns) - block(p, s, columns);
  const int own_rows = block(p, s + 1, rows) - block(p, s, rows);
  Complex* const by_column = malloc((size_t)(own_columns * rows) * sizeof(Complex) + 1);
  Complex* const by_row = malloc((size_t)(own_rows * columns) * sizeof(Complex) + 1);
  Complex* const work = malloc((size_t)n * sizeof(Complex));
  bsp_push_reg(by_row, SIZE(own_rows * columns, Complex));
  bsp_sync();
  const int frequency = 5;  // x[k] = exp(tau i 5 k / n): one peak
  for (int j = 0; j < own_columns; ++j) {
    for (int i = 0; i < rows; ++i) {
      const Complex w = root((long)frequency * (columns * i + j + block(p, s, columns)), n);
      by_column[j * rows + i] = (Complex){w.re, -w.im};
    }
    transform(&by_column[j * rows], rows, work);
    for (int i = 0; i < rows; ++i) {
      by_column[j * rows + i] =
          times(by_column[j * rows + i], root((long)i * (j + block(p, s, columns)), n));
    }
  }
  transpose(by_column, by_row, columns, rows);
  for (int i = 0; i < own_rows; ++i) {
    transform(&by_row[i * columns], columns, work);
    for (int j = 0; j < columns; ++j) {
      const int k = (i + block(p, s, rows)) + rows * j;  // the frequency that ends up here
      REQUIRE(fabs(by_row[i * columns + j].re - (k == frequency ? n : 0)) < 1e-6 * n);
      REQUIRE(fabs(by_row[i * columns + j].im) < 1e-6 * n);
    }
  }
  bsp_pop_reg(by_row);
  bsp_sync();
  free(by_column);
  free(by_row);
  free(work);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls of all nodes.
 */
#include "check.h"

static const long lengths[] = {0, 1, 3, 1000, 20000};
enum { length_count = sizeof lengths / sizeof *lengths, most = 20000 };

static double d[most], dwork[most];
static long i[most], iwork[most];
static float s[most], swork[most];

/* What node `node` gives as element k: small numbers, so that all results are exact. */
static long given(long node, long k) {
  return (node * 5 + k * 3) % 7 - 2;
}

static long sum(long a, long b) {
  return a + b;
}
static long product(long a, long b) {
  return a * b;
}
static long larger(long a, long b) {
  return a > b ? a : b;
}
static long smaller(long a, long b) {
  return a < b ? a : b;
}
static long and (long a, long b) {
  return a & b;
}
static long or (long a, long b) {
  return a | b;
}
static long xor (long a, long b) { return a ^ b; } static long both(long a, long b) {
  return a != 0 && b != 0;
}
static long either(long a, long b) {
  return a != 0 || b != 0;
}
static long one(long a, long b) {
  return (a != 0) != (b != 0);
}

static long expected(long (*op)(long, long), long k) {
  long result = given(0, k);
  for (long node = 1; node < numnodes(); node++) result = op(result, given(node, k));
  return result;
}

static void combine(void (*call)(double*, long, double*), long (*ended)(double*, long, double*),
                    long (*op)(long, long)) {
  for (int t = 0; t < length_count; t++) {
    for (int again = 0; again < 2; again++) {
      long right = 1;
      for (long k = 0; k < most; k++) d[k] = (double)given(mynode(), k);
      if (again)
        CHECK(ended(d, lengths[t], dwork) == 0);
      else
        call(d, lengths[t], dwork);
      for (long k = 0; k < most; k++)
        right = right && d[k] == (double)(k < lengths[t] ? expected(op, k) : given(mynode(), k));
      CHECK(right);
    }
  }
}

static void combine_long(void (*call)(long*, long, long*), long (*ended)(long*, long, long*),
                         long (*op)(long, long)) {
  for (int t = 0; t < length_count; t++) {
    for (int again = 0; again < 2; again++) {
      long right = 1;
      for (long k = 0; k < most; k++) i[k] = given(mynode(), k);
      if (again)
        CHECK(ended(i, lengths[t], iwork) == 0);
      else
        call(i, lengths[t], iwork);
      for (long k = 0; k < most; k++) {
        const long wanted = k < lengths[t] ? expected(op, k) : given(mynode(), k);
        /* A logical value of one node stays as it is. */
        const long logical = op == both || op == either || op == one;
        right = right && (logical ? (i[k] != 0) == (wanted != 0) : i[k] == wanted);
      }
      CHECK(right);
    }
  }
}

static void combine_float(void (*call)(float*, long, float*), long (*ended)(float*, long, float*),
                          long (*op)(long, long)) {
  for (int t = 0; t < length_count; t++) {
    for (int again = 0; again < 2; again++) {
      long right = 1;
      for (long k = 0; k < most; k++) s[k] = (float)given(mynode(), k);
      if (again)
        CHECK(ended(s, lengths[t], swork) == 0);
      else
        call(s, lengths[t], swork);
      for (long k = 0; k < most; k++)
        right = right && s[k] == (float)(k < lengths[t] ? expected(op, k) : given(mynode(), k));
      CHECK(right);
    }
  }
}

/* Each node gives as many bytes as its number, some none. */
static void collect(void) {
  long all = 0, counted = -1, xlens[64], right = 1;
  const long size = mynode() % 3 * 1000 + mynode();
  char x[4096], y[64 * 4096];
  for (long node = 0; node < numnodes(); node++) {
    xlens[node] = node % 3 * 1000 + node;
    all += xlens[node];
  }
  memset(x, 'a' + (int)mynode(), sizeof x);
  for (int way = 0; way < 4; way++) {
    long place = 0;
    memset(y, '-', sizeof y);
    if (way == 0) gcol(x, size, y, sizeof y, &counted);
    if (way == 1) CHECK(_gcol(x, size, y, all, &counted) == 0);
    if (way == 2) gcolx(x, xlens, y);
    if (way == 3) CHECK(_gcolx(x, xlens, y) == 0);
    CHECK(counted == all);
    for (long node = 0; node < numnodes(); node++)
      for (long k = 0; k < xlens[node]; k++) right = right && y[place++] == 'a' + node;
    CHECK(right && y[all] == '-');
  }
  gcol((char*)&all, sizeof all, y, sizeof y, &counted); /* equally many bytes */
  CHECK(counted == (long)sizeof all * numnodes() && memcmp(y, &all, sizeof all) == 0);
  const long room = numnodes() * 8 - 1;
  CHECK((errno = 0, _gcol(x, 8, y, room, &counted)) == -1 && errno == EMSGSIZE);
}

/* The product of 2 x 2 matrices, in the order of the nodes. */
enum { matrices = 50 };
typedef struct {
  long at[2][2];
} matrix;
static int longest_call = 0;

static matrix times(matrix a, matrix b) {
  matrix c;
  for (int row = 0; row < 2; row++)
    for (int column = 0; column < 2; column++)
      c.at[row][column] = (a.at[row][0] * b.at[0][column] + a.at[row][1] * b.at[1][column]) % 1009;
  return c;
}
static long multiply(matrix* x, matrix* work) {
  for (int k = 0; k < matrices; k++) x[k] = times(x[k], work[k]);
  memset(work, 0, matrices * sizeof *work); /* it may be changed */
  longest_call = matrices;
  return 0;
}
static matrix factor(long node, int k) {
  const matrix m = {{{node + 1, k}, {1, node * k + 1}}};
  return m;
}

static void by_function(void) {
  matrix x[matrices], work[matrices];
  for (int again = 0; again < 2; again++) {
    for (int k = 0; k < matrices; k++) x[k] = factor(mynode(), k);
    if (again)
      CHECK(_gopf((char*)x, sizeof x, (char*)work, multiply) == 0);
    else
      gopf((char*)x, sizeof x, (char*)work, multiply);
    for (int k = 0; k < matrices; k++) {
      matrix wanted = factor(0, k);
      for (long node = 1; node < numnodes(); node++) wanted = times(wanted, factor(node, k));
      CHECK(memcmp(&x[k], &wanted, sizeof wanted) == 0);
    }
  }
  CHECK(numnodes() == 1 || longest_call == matrices || mynode() != 0);
}

void test_collectives(void) {
  gsync();
  CHECK(_gsync() == 0);
  combine(gdsum, _gdsum, sum);
  combine(gdprod, _gdprod, product);
  combine(gdhigh, _gdhigh, larger);
  combine(gdlow, _gdlow, smaller);
  combine_long(gisum, _gisum, sum);
  combine_long(giprod, _giprod, product);
  combine_long(gihigh, _gihigh, larger);
  combine_long(gilow, _gilow, smaller);
  combine_long(giand, _giand, and);
  combine_long(gior, _gior, or);
  combine_long(gixor, _gixor, xor);
  combine_long(gland, _gland, both);
  combine_long(glor, _glor, either);
  combine_long(glxor, _glxor, one);
  combine_float(gssum, _gssum, sum);
  combine_float(gsprod, _gsprod, product);
  combine_float(gshigh, _gshigh, larger);
  combine_float(gslow, _gslow, smaller);
  collect();
  by_function();
  CHECK((errno = 0, _gdsum(d, -1, dwork)) == -1 && errno == EINVAL);
  CHECK((errno = 0, _gisum(NULL, 1, iwork)) == -1 && errno == EFAULT);
}

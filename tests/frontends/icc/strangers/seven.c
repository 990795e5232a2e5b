/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The seven operations of the simple interface, with parts of unequal lengths and from every root.
 * Each byte is checked, and so are the bytes behind a result.
 */
#include <icc.h>
#include <stdio.h>
#include <string.h>

#define MAXP 64
#define LARGE 20000

extern long mynode(), numnodes();

static char x[MAXP * LARGE + 8], y[MAXP * LARGE + 8], want[MAXP * LARGE + 8];
static double d[MAXP * LARGE / 8], e[MAXP * LARGE / 8];
static long me, p, bad, total, lens[MAXP];

wrong(line) int line;
{
  if (bad++ < 5) printf("node %ld: wrong at line %d\n", me, line);
  return 0;
}
#define CHECK(c) \
  if (!(c)) wrong(__LINE__)

char byte(node, i, salt)
long node, i, salt;
{ return (char)(node * 37 + i * 11 + (i >> 8) * 3 + salt); }

/* Fills `want` with the parts of all nodes, in their order. */
long parts(unit, salt)
long unit, salt;
{
  long r, i, at = 0;
  for (r = 0; r < p; r++) {
    lens[r] = (r * 5 + 2) % 4 * unit; /* some are empty */
    for (i = 0; i < lens[r]; i++) want[at++] = byte(r, i, salt);
  }
  memset(want + at, 0x55, 8);
  return at;
}

long offset(r)
long r;
{
  long s = 0;
  while (r > 0) s += lens[--r];
  return s;
}

broadcast(n, root) long n, root;
{
  long i;
  memset(x, 0x55, n + 8);
  if (me == root)
    for (i = 0; i < n; i++) x[i] = byte(root, i, n);
  for (i = 0; i < n; i++) want[i] = byte(root, i, n);
  memset(want + n, 0x55, 8);
  iCC_bcast(x, n, root);
  CHECK(memcmp(x, want, n + 8) == 0);
  return 0;
}

scatter_gather(unit, root) long unit, root;
{
  long all = parts(unit, root), mine = lens[me];
  memset(y, 0x55, mine + 8);
  if (me == root) memcpy(x, want, all);
  iCC_scatter(x, lens, y, root);
  CHECK(memcmp(y, want + offset(me), mine) == 0);
  CHECK(y[mine] == 0x55 && y[mine + 7] == 0x55);
  memset(x, 0x55, all + 8);
  iCC_gather(y, lens, x, root);
  if (me == root) CHECK(memcmp(x, want, all + 8) == 0);
  return 0;
}

collect(unit) long unit;
{
  long all = parts(unit, 77L), n = -1;
  memset(y, 0x55, all + 8);
  memcpy(x, want + offset(me), lens[me]);
  iCC_gcolx(x, lens, y);
  CHECK(memcmp(y, want, all + 8) == 0);
  memset(y, 0x55, all + 8);
  iCC_gcol(x, lens[me], y, (long)sizeof y, &n);
  CHECK(n == all && memcmp(y, want, all + 8) == 0);
  return 0;
}

double sum_of(i)
long i;
{ return p * (p - 1) / 2 * 3.0 + p * (double)i; }

set(n) long n;
{
  long i;
  for (i = 0; i < n; i++) d[i] = 3.0 * me + i;
  d[n] = -7;
  return 0;
}

combine(n, root) long n, root;
{
  long i, ns[MAXP], at = 0, all = 0, r;
  set(n);
  iCC_gdsum_one(d, n, e, root);
  if (me == root)
    for (i = 0; i < n; i++) CHECK(d[i] == sum_of(i));
  CHECK(d[n] == -7);
  set(n);
  iCC_gdsum(d, n, e);
  for (i = 0; i < n; i++) CHECK(d[i] == sum_of(i));
  CHECK(d[n] == -7);
  for (r = 0; r < p; r++) {
    ns[r] = r % 3 * (n / (2 * p)); /* every third is empty */
    if (r < me) at += ns[r];
    all += ns[r];
  }
  set(all);
  e[ns[me]] = -8;
  iCC_gdsum_dist(d, ns, e);
  for (i = 0; i < ns[me]; i++) CHECK(e[i] == sum_of(at + i));
  CHECK(e[ns[me]] == -8);
  total += all;
  return 0;
}

main() {
  long root, work;
  static long sizes[] = {0, 1, 7, 1000, LARGE / 4};
  int s;
  iCC_initialize();
  me = mynode();
  p = numnodes();
  for (s = 0; s < 5; s++) {
    collect(sizes[s]);
    for (root = 0; root < p; root++) {
      broadcast(4 * sizes[s], root);
      scatter_gather(sizes[s], root);
      combine(sizes[s], root);
    }
  }
  iCC_gsync();
  iCC_gisum(&bad, 1L, &work);
  if (me == 0) printf("seven operations on %ld nodes: %ld elements, %ld wrong\n", p, total, bad);
  return bad != 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All global operations, with vectors of one and of many elements. Some calls take a part of one
 * array as work, others an array that another call has left behind, as old programs do. */
#include <nx.h>
#include <stdio.h>

#define N 1000

double d[N], dwork[N], both[2 * N];
long l[N], lwork[N];
float f[N], fwork[N];
long bad = 0;

fail(name) char* name;
{
  printf("sums: %s is wrong on node %ld\n", name, mynode());
  bad++;
}

doubles(me, p, n) long me, p, n;
{
  long i, wrong;
  for (i = 0; i < n; i++) both[i] = me + i * 0.5;
  gdsum(both, n, both + n);
  for (wrong = i = 0; i < n; i++) wrong += both[i] != p * (p - 1) / 2 + p * i * 0.5;
  if (wrong) fail("gdsum");
  for (i = 0; i < n; i++) d[i] = i % 3 == 0 ? 2 : 1;
  gdprod(d, n, dwork);
  for (wrong = i = 0; i < n; i++) wrong += d[i] != (i % 3 == 0 ? (double)(1 << p) : 1);
  if (wrong) fail("gdprod");
  for (i = 0; i < n; i++) d[i] = (me * 5 + i) % 7;
  for (i = 0; i < n; i++) both[i] = d[i];
  gdhigh(d, n, dwork);
  gdlow(both, n, dwork);
  for (wrong = i = 0; i < n; i++) {
    long k, high = -1, low = 99;
    for (k = 0; k < p; k++) {
      if ((k * 5 + i) % 7 > high) high = (k * 5 + i) % 7;
      if ((k * 5 + i) % 7 < low) low = (k * 5 + i) % 7;
    }
    wrong += d[i] != high || both[i] != low;
  }
  if (wrong) fail("gdhigh or gdlow");
}

floats(me, p, n) long me, p, n;
{
  long i, wrong;
  for (i = 0; i < n; i++) f[i] = me + i;
  gssum(f, n, fwork);
  for (wrong = i = 0; i < n; i++) wrong += f[i] != (float)(p * (p - 1) / 2 + p * i);
  if (wrong) fail("gssum");
  for (i = 0; i < n; i++) f[i] = -2;
  gsprod(f, n, fwork);
  for (wrong = i = 0; i < n; i++) wrong += f[i] != (float)(p % 2 ? -(1 << p) : 1 << p);
  if (wrong) fail("gsprod");
  for (i = 0; i < n; i++) f[i] = i - 2 * me;
  gshigh(f, n, fwork);
  for (wrong = i = 0; i < n; i++) wrong += f[i] != (float)i;
  if (wrong) fail("gshigh");
  for (i = 0; i < n; i++) f[i] = i - 2 * me;
  gslow(f, n, fwork);
  for (wrong = i = 0; i < n; i++) wrong += f[i] != (float)(i - 2 * (p - 1));
  if (wrong) fail("gslow");
}

integers(me, p, n) long me, p, n;
{
  long i, wrong, k, all, some, odd;
  for (i = 0; i < n; i++) l[i] = me - i;
  gisum(l, n, lwork);
  for (wrong = i = 0; i < n; i++) wrong += l[i] != p * (p - 1) / 2 - p * i;
  if (wrong) fail("gisum");
  for (i = 0; i < n; i++) l[i] = 1 + me;
  giprod(l, n, lwork);
  for (all = 1, k = 1; k <= p; k++) all *= k;
  for (wrong = i = 0; i < n; i++) wrong += l[i] != all;
  if (wrong) fail("giprod");
  for (i = 0; i < n; i++) l[i] = i * me;
  gihigh(l, n, lwork);
  for (wrong = i = 0; i < n; i++) wrong += l[i] != i * (p - 1);
  if (wrong) fail("gihigh");
  for (i = 0; i < n; i++) l[i] = -i * me;
  gilow(l, n, lwork);
  for (wrong = i = 0; i < n; i++) wrong += l[i] != -i * (p - 1);
  if (wrong) fail("gilow");

  all = -1, some = odd = 0;
  for (k = 0; k < p; k++) all &= k | 8, some |= k, odd ^= k;
  for (i = 0; i < n; i++) l[i] = me | 8;
  giand(l, n, lwork);
  for (wrong = i = 0; i < n; i++) wrong += l[i] != all;
  if (wrong) fail("giand");
  for (i = 0; i < n; i++) l[i] = me;
  gior(l, n, lwork);
  for (wrong = i = 0; i < n; i++) wrong += l[i] != some;
  if (wrong) fail("gior");
  for (i = 0; i < n; i++) l[i] = me;
  gixor(l, n, lwork);
  for (wrong = i = 0; i < n; i++) wrong += l[i] != odd;
  if (wrong) fail("gixor");

  /* Any number but 0 is true, and the result is compared with 0 as well. */
  for (i = 0; i < n; i++) l[i] = i % (me + 2);
  gland(l, n, lwork);
  for (wrong = i = 0; i < n; i++) {
    for (all = 1, k = 0; k < p; k++) all = all && i % (k + 2);
    wrong += !l[i] != !all;
  }
  if (wrong) fail("gland");
  for (i = 0; i < n; i++) l[i] = i % (me + 2);
  glor(l, n, lwork);
  for (wrong = i = 0; i < n; i++) {
    for (some = 0, k = 0; k < p; k++) some = some || i % (k + 2);
    wrong += !l[i] != !some;
  }
  if (wrong) fail("glor");
  for (i = 0; i < n; i++) l[i] = 4 * (i % (me + 2));
  glxor(l, n, lwork);
  for (wrong = i = 0; i < n; i++) {
    for (odd = 0, k = 0; k < p; k++) odd = !odd != !(i % (k + 2));
    wrong += !l[i] != !odd;
  }
  if (wrong) fail("glxor");
}

main() {
  long me = mynode(), p = numnodes(), work;
  doubles(me, p, 1L);
  doubles(me, p, (long)N);
  floats(me, p, 1L);
  floats(me, p, (long)N);
  integers(me, p, 1L);
  integers(me, p, (long)N);
  gsync();
  gisum(&bad, 1, &work);
  if (me == 0 && bad == 0) printf("sums: ok on %ld nodes\n", p);
  exit(bad != 0);
}

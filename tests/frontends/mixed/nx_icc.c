/* SPDX-License-Identifier: BSD-3-Clause
 *
 * NX and iCC alternate in one program: messages, posted receives and a handler of NX wait while iCC
 * communicates, and receives that accept everything must never get a message of iCC.
 */
#include <icc.h>
#include <nx.h>
#include <stdio.h>
#include <string.h>

#define N 3000
#define ROUNDS 20

static long me, p, next, before, bad, handled;
static double x[N], work[N];
static long from_before[8], in_handler[8];

wrong(line) int line;
{
  if (bad++ < 5) printf("node %ld: wrong at line %d\n", me, line);
  return 0;
}
#define CHECK(c) \
  if (!(c)) wrong(__LINE__)

/* One operation of iCC, whose number is `k`, in lengths from nothing to many packets. */
icc(k, n) long k, n;
{
  long i, root = k % p, ns[64], sum = p * (p - 1) / 2;
  for (i = 0; i < n; i++) x[i] = me + i;
  switch (k % 5) {
    case 0:
      iCC_bcast(x, n * (long)sizeof(double), root);
      for (i = 0; i < n; i++) CHECK(x[i] == root + i);
      break;
    case 1:
      iCC_gdsum(x, n, work);
      for (i = 0; i < n; i++) CHECK(x[i] == sum + p * i);
      break;
    case 2:
      CHECK(iCC_g_Allreduce(x, work, n, iCC_g_double_dtype, iCC_g_DMAX, iCC_g_COMM_WORLD) ==
            iCC_g_OK);
      for (i = 0; i < n; i++) CHECK(work[i] == p - 1 + i);
      break;
    case 3:
      for (i = 0; i < p; i++) ns[i] = n / p * (long)sizeof(double);
      iCC_gcolx(x, ns, work);
      for (i = 0; i < n / p * p; i++) CHECK(work[i] == i / (n / p) + i % (n / p));
      break;
    case 4:
      iCC_gdlow_one(x, n, work, root);
      if (me == root)
        for (i = 0; i < n; i++) CHECK(x[i] == i);
      iCC_gsync();
      break;
  }
  return 0;
}

hear(type, count, node, ptype) long type, count, node, ptype;
{
  CHECK(type == 77 && count == sizeof in_handler && node == before && ptype == 0);
  CHECK(in_handler[0] == before && in_handler[7] == before * 7);
  handled++;
  return 0;
}

/* A message waits unreceived during the operations of iCC, and so does a posted receive. */
round_of(k) long k;
{
  long out[8], got[8], id, i, n = k % 3 == 0 ? 1 : k % 3 == 1 ? 100 : N;
  for (i = 0; i < 8; i++) out[i] = me * i + k;
  id = irecv(-1L, from_before, (long)sizeof from_before);
  csend(k, out, (long)sizeof out, next, 0L);
  csend(k + 1000, out, 8 * (k % 8), next, 0L);
  icc(k, n);
  icc(k + 1, n);
  msgwait(id);
  CHECK(infotype() == k && infonode() == before && infocount() == sizeof out);
  for (i = 0; i < 8; i++) CHECK(from_before[i] == before * i + k);
  gsync();
  icc(k + 2, n);
  cprobe(-1L);
  crecv(-1L, got, (long)sizeof got);
  CHECK(infotype() == k + 1000 && infonode() == before && infocount() == 8 * (k % 8));
  gsync();
  CHECK(iprobe(-1L) == 0);
  icc(k + 3, n);
  x[0] = 1;
  gdsum(x, 1L, work);
  CHECK(x[0] == p);
  icc(k + 4, n);
  return 0;
}

main() {
  long k, out[8], work;
  iCC_initialize();
  iCC_g_Group_init();
  me = mynode(), p = numnodes();
  CHECK(iCC_g_COMM_WORLD->source == me);
  next = (me + 1) % p, before = (me + p - 1) % p;
  for (k = 0; k < ROUNDS; k++) round_of(k);

  /* The handler gets the message of NX in the middle of calls of iCC, and no other. */
  for (k = 0; k < 8; k++) out[k] = me * k;
  out[0] = me;
  hrecv(77L, in_handler, (long)sizeof in_handler, (void (*)())hear);
  gsync();
  csend(77L, out, (long)sizeof out, next, 0L);
  for (k = 0; k < 10; k++) icc(k, 100L);
  while (handled == 0) flick();
  CHECK(handled == 1);
  gsync();
  iCC_gisum(&bad, 1L, &work);
  if (me == 0) printf("NX and iCC on %ld nodes: %d rounds, %ld wrong\n", p, ROUNDS, bad);
  return bad != 0;
}

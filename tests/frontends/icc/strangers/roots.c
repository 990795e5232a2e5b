/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Broadcasts from every root, one directly after the other, by both interfaces. A fast node must
 * not overtake a slow one. The lengths lie around the places where a library changes its algorithm.
 */
#include <iCC_group.h>
#include <stdio.h>

static long length[] = {1, 3, 8, 15, 16, 17, 255, 1024, 4095, 8192, 65536, 262147};
static unsigned char buffer[262147 + 1];

unsigned char mark(root, i, round)
long root, i, round;
{ return (unsigned char)(root * 101 + i * 13 + i / 251 + round); }

long differs(root, n, round)
long root, n, round;
{
  long i, d = 0;
  for (i = 0; i < n; i++) d += buffer[i] != mark(root, i, round);
  return d + (buffer[n] != 0xA5);
}

main() {
  long me, p, one = 1, work, root, i, k, bad = 0, bytes = 0;
  iCC_initialize();
  if (iCC_g_Group_init() != iCC_g_OK) return 2;
  me = iCC_g_COMM_WORLD->source;
  iCC_gisum(&one, 1L, &work);
  p = one;
  for (k = 0; k < 12; k++)
    for (root = 0; root < p; root++) {
      long n = length[k];
      buffer[n] = 0xA5;
      for (i = 0; i < n; i++) buffer[i] = me == root ? mark(root, i, k) : 0;
      iCC_bcast(buffer, n, root);
      bad += differs(root, n, k);
      for (i = 0; i < n; i++) buffer[i] = me == root ? mark(root, i, k + 50) : 0;
      if (iCC_g_Bcast(buffer, n, iCC_g_byte_dtype, root, iCC_g_COMM_WORLD) != iCC_g_OK) bad++;
      bad += differs(root, n, k + 50);
      bytes += 2 * n;
    }
  iCC_giprod(&one, 1L, &work); /* p ** p */
  for (k = 1, i = 0; i < p; i++) k *= p;
  if (one != k) bad++;
  iCC_gisum(&bad, 1L, &work);
  if (me == 0) printf("broadcasts from %ld roots: %ld bytes, %ld wrong\n", p, bytes, bad);
  return bad != 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collects the rows of a matrix, of which the nodes have unequal numbers, by gcolx and by gcol. */
#include <nx.h>
#include <stdio.h>
#include <string.h>
#define COLUMNS 5
#define MOST 64 /* nodes */

double mine[3 * MOST * COLUMNS], all[3 * MOST * COLUMNS + 1];

long rows_of(node)
long node;
{ return node % 3; } /* node 0 has none */

main() {
  long me, p, i, k, n, total, bad, ncnt, work, lens[MOST];
  char letters[2 * MOST + 8], c[2];

  me = mynode();
  p = numnodes();
  bad = 0;
  n = rows_of(me) * COLUMNS;
  for (i = 0; i < n; i++) mine[i] = 1000 * me + i;
  for (total = i = 0; i < p; i++) {
    lens[i] = rows_of(i) * COLUMNS * sizeof(double);
    total += lens[i];
  }
  all[total / sizeof(double)] = -1;
  gcolx(mine, lens, all);
  for (k = i = 0; i < p; i++)
    for (n = 0; n < rows_of(i) * COLUMNS; n++) bad += all[k++] != 1000 * i + n;
  bad += all[k] != -1;

  memset((char*)all, 0, sizeof all);
  all[k] = -1;
  gcol(mine, lens[me], all, (long)sizeof all, &ncnt);
  bad += ncnt != total;
  for (k = i = 0; i < p; i++)
    for (n = 0; n < rows_of(i) * COLUMNS; n++) bad += all[k++] != 1000 * i + n;
  bad += all[k] != -1;

  /* Two letters of each node, in a buffer of exactly the size. */
  c[0] = 'a' + me % 26;
  c[1] = 'A' + me % 26;
  strcpy(letters + 2 * p, "end");
  gcol(c, 2, letters, 2 * p, &ncnt);
  bad += ncnt != 2 * p;
  for (i = 0; i < p; i++)
    bad += letters[2 * i] != 'a' + i % 26 || letters[2 * i + 1] != 'A' + i % 26;
  bad += strcmp(letters + 2 * p, "end") != 0;

  gisum(&bad, 1, &work);
  if (me == 0 && bad == 0)
    printf("collect: ok on %ld nodes, letters %.*s\n", p, (int)(2 * p), letters);
  exit(bad != 0);
}

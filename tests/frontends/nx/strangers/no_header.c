/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program of K&R without nx.h: -1 is an int and arrives as 4294967295. main returns nothing.
 */
char sent[8] = "letter", got[8];
extern long msginfo[8];
int id;

main(argc) int argc;
{
  int me, nodes, node, nothing;
  me = mynode();
  nodes = numnodes();
  nothing = -1;
  csend(5, sent, 8, -1, 0);
  for (node = 0; node < nodes - 1; node++) crecv(-1, got, 8);
  gsync();
  csend(6, sent, 8, me, 0);
  crecvx(nothing, got, 8, nothing, nothing, msginfo);
  gsync();
  id = msgmerge(nothing, irecv(7, got, 8));
  csend(7, sent, 8, (me + 1) % nodes, 0);
  msgwait(id);
  gsync();
  if (me == 0) printf("no_header: ok on %d nodes\n", nodes);
}

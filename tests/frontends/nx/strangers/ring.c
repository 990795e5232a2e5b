/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A token goes round the ring of the nodes three times, then all nodes send a long message before
 * any of them receives. The program includes only nx.h and declares its functions as K&R did. */
#include <nx.h>

#define TOKEN 10
#define LONG 20
#define BYTES 100000

char out[BYTES], in[BYTES];

main(argc, argv) int argc;
char** argv;
{
  long iam, nodes, left, right, lap, i, sum, bad, work, token[2];

  iam = mynode();
  nodes = numnodes();
  left = (iam + nodes - 1) % nodes;
  right = (iam + 1) % nodes;
  bad = 0;
  for (sum = 0, i = 1; i < nodes; i++) sum += i * i;

  for (lap = 0; lap < 3; lap++) {
    if (iam == 0) {
      token[0] = lap;
      token[1] = 0;
      csend(TOKEN, token, sizeof(token), right, mypid());
      crecv(TOKEN, token, sizeof(token));
      if (token[0] != lap || token[1] != sum) bad++;
    } else {
      crecv(TOKEN, token, sizeof(token));
      if (token[0] != lap) bad++;
      token[1] += iam * iam;
      csend(TOKEN, token, sizeof(token), right, mypid());
    }
    if (iam == 0 && (infotype() != TOKEN || infocount() != sizeof(token))) bad++;
    if (iam == 0 && (infonode() != left || infopid() != 0)) bad++;
  }

  for (i = 0; i < BYTES; i++) out[i] = i * 7 + iam * 31;
  csend(LONG, out, BYTES, right, 0);
  crecv(LONG, in, BYTES);
  for (i = 0; i < BYTES; i++)
    if (in[i] != (char)(i * 7 + left * 31)) bad++;

  gisum(&bad, 1L, &work);
  if (iam == 0 && bad == 0) printf("ring: ok on %ld nodes, the token sums up to %ld\n", nodes, sum);
  exit(bad != 0);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Times how long a send keeps its sender: one process sends many messages to others, which take
 * them later. Processes that neither send nor receive end at once.
 *   reps len1 lenN inclen sender recv1 ... recvN
 */
#include <stdio.h>

double dcputime00_(), dwalltime00_();
char* malloc();

main(nargs, args) int nargs;
char* args[];
{
  int iam, nnodes, reps = 10, len1 = 0, lenN = 80000, inclen = 16000, sender = 0;
  int recvers[1024], nrecvers = 0, zero = 0, one = 1, len, n, i, j, me = -1, wrong = 0, all;
  double time, cpu;
  int* buff;

  initpinfo_(&iam, &nnodes);
  if (nnodes < 1) nnodes = 4;
  all = nnodes;
  if (nargs > 6) {
    reps = atoi(args[1]);
    len1 = atoi(args[2]);
    lenN = atoi(args[3]);
    inclen = atoi(args[4]);
    sender = atoi(args[5]);
    for (i = 6; i < nargs; i++) recvers[nrecvers++] = atoi(args[i]);
  } else
    for (i = 1; i < nnodes; i += 2) recvers[nrecvers++] = i;
  auxsetup_(&iam, &nnodes);
  blacsinit_(&one, &nnodes);
  for (i = 0; i < nrecvers; i++)
    if (recvers[i] == iam) me = i;
  if (iam != sender && me < 0) exit(0);
  buff = (int*)malloc(lenN + 4);
  for (len = len1; len <= lenN; len += inclen) {
    n = len / 4;
    if (iam == sender) {
      for (i = 0; i < nrecvers; i++) {
        igesd2d_(&zero, &one, buff, &zero, &zero, &recvers[i]);
        igerv2d_(&zero, &one, buff, &zero, &zero, &recvers[i]);
      }
      cpu = dcputime00_();
      time = dwalltime00_();
      for (j = 0; j < reps && nrecvers > 0; j++) {
        for (i = 0; i < n; i++) buff[i] = i + j;
        igesd2d_(&n, &one, buff, &n, &zero, &recvers[j % nrecvers]);
      }
      time = dwalltime00_() - time;
      cpu = dcputime00_() - cpu;
      if (time < 0 || cpu < 0) wrong++;
      printf("%d: length=%d, Ts = %8.2f (us).\n", sender, len, 1.0e6 * time / reps);
    } else {
      igerv2d_(&zero, &one, buff, &zero, &zero, &sender);
      igesd2d_(&zero, &one, buff, &zero, &zero, &sender);
      for (j = me; j < reps; j += nrecvers) {
        igerv2d_(&n, &one, buff, &n, &zero, &sender);
        for (i = 0; i < n; i++)
          if (buff[i] != i + j) wrong++;
      }
    }
  }
  /* The receivers tell the sender what they have seen. */
  if (me >= 0) igesd2d_(&one, &one, &wrong, &one, &zero, &sender);
  if (iam == sender) {
    for (i = 0; i < nrecvers; i++) {
      igerv2d_(&one, &one, &j, &one, &zero, &recvers[i]);
      wrong += j;
    }
    if (wrong == 0) printf("post: ok on %d processes\n", all);
  }
  exit(0);
}

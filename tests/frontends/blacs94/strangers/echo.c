/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Times messages that come back, as the echo test of the paper does. Arguments, as there:
 *   len1 lenN inclen reps sender recv1 recvN recvinc
 */
#include <stdio.h>

double dwalltime00_();

static int zero = 0, one = 1;

#define SEND(dest, n, buff) sgesd2d_(&(n), &one, buff, &(n), &zero, &(dest))
#define RECV(src, n, buff) sgerv2d_(&(n), &one, buff, &(n), &zero, &(src))

main(nargs, args) int nargs;
char* args[];
{
  int iam, nnodes, len, len1 = 0, lenN = 4000, inclen = 1000, reps = 20, sender = 0;
  int recv1 = 1, recvN, recvinc = 1, dest, n, i, j, wrong = 0, tests = 0;
  static float buff[100000];
  double begin;

  initpinfo_(&iam, &nnodes);
  if (nnodes > 0)
    recvN = nnodes - 1;
  else
    recvN = (nnodes = 4) - 1;
  if (nargs >= 9) {
    len1 = atoi(args[1]);
    lenN = atoi(args[2]);
    inclen = atoi(args[3]);
    reps = atoi(args[4]);
    sender = atoi(args[5]);
    recv1 = atoi(args[6]);
    recvN = atoi(args[7]);
    recvinc = atoi(args[8]);
    nnodes = recvN + 1;
  }
  auxsetup_(&iam, &nnodes);
  blacsinit_(&one, &nnodes);
  for (len = len1; len <= lenN; len += inclen) {
    n = len / 4;
    for (dest = recv1; dest <= recvN; dest += recvinc) {
      for (j = 0; j < n; j++) buff[j] = iam == sender ? j + dest : -1;
      if (iam == sender) {
        SEND(dest, zero, buff);
        RECV(dest, zero, buff);
        begin = dwalltime00_();
        for (i = 0; i < reps; i++) {
          SEND(dest, n, buff);
          RECV(dest, n, buff);
        }
        begin = dwalltime00_() - begin;
        for (j = 0; j < n; j++)
          if (buff[j] != j + dest + reps) wrong++;
        printf("Node %d send to %d: length=%d, Tc = %8.2f (us)\n", sender, dest, len,
               0.5e6 * begin / reps);
        tests++;
      } else if (iam == dest) {
        RECV(sender, zero, buff);
        SEND(sender, zero, buff);
        for (i = 0; i < reps; i++) {
          RECV(sender, n, buff);
          for (j = 0; j < n; j++) buff[j] += 1;
          SEND(sender, n, buff);
        }
      }
    }
  }
  if (iam == sender && wrong == 0 && tests == (recvN - recv1 + recvinc) / recvinc * 5)
    printf("echo: ok on %d processes\n", nnodes);
  exit(0);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Times broadcasts with each topology, with the names that have no underscore. The places of the
 * least and greatest time go into a buffer of another type, as nobody looks at them.
 */
#include <stdio.h>
#include <stdlib.h>

static int one = 1, zero = 0;

/* Brings the times of a test to process 0. */
static void collect(int iam, int src, double* srcT, double* minT, double* maxT, double* avgT,
                    double* dbuff) {
  if (src != 0) {
    if (iam == src) dgesd2d(&one, &one, srcT, &one, &zero, &zero);
    if (iam == 0) dgerv2d(&one, &one, srcT, &one, &zero, &src);
  }
  dgmin2d("a", "1", &one, &one, minT, &one, dbuff, &dbuff[1], &one, &zero, &zero);
  dgmax2d("a", "1", &one, &one, maxT, &one, dbuff, &dbuff[1], &one, &zero, &zero);
  dgsum2d("a", "1", &one, &one, avgT, &one, &zero, &zero);
}

int main(int nargs, char* args[]) {
  double dwalltime00_();
  char *tops = "idhsfm123456789t", *top;
  int iam, nnodes, reps = 5, src = 0, len, lenN = 5000, j, wrong = 0, n = 3;
  double *dbuff, begin, srcT, maxT, minT, avgT;

  initpinfo_(&iam, &nnodes);
  if (nnodes < 1) nnodes = 4;
  auxsetup_(&iam, &nnodes);
  blacsinit_(&one, &nnodes);
  if (nargs > 1) src = atoi(args[1]);
  src = nnodes - 1 - src;
  dbuff = (double*)malloc(lenN * sizeof(double));
  if (iam == 0)
    printf("  TOP   ELEMENTS      SRC TIME      MIN TIME      MAX TIME      AVG TIME\n");
  setbranches(&n);
  for (top = tops; *top != 0; top++)
    for (len = 1; len <= lenN; len += 2499) {
      for (j = 0; j < len; j++) dbuff[j] = iam == src ? j + 0.5 : 0;
      barrier("all");
      begin = dwalltime00_();
      for (j = 0; j < reps; j++)
        if (iam == src)
          dgebs2d("a", top, &len, &one, dbuff, &len);
        else
          dgebr2d("a", top, &len, &one, dbuff, &len, &zero, &src);
      srcT = minT = maxT = avgT = (dwalltime00_() - begin) * 1000 / reps;
      for (j = 0; j < len; j++)
        if (dbuff[j] != j + 0.5) wrong++;
      collect(iam, src, &srcT, &minT, &maxT, &avgT, dbuff);
      avgT /= nnodes;
      if (iam == 0)
        printf("%5c %10d %13.3f %13.3f %13.3f %13.3f\n", *top, len, srcT, minT, maxT, avgT);
      if (iam == 0 && !(minT <= avgT * 1.000001 && avgT <= maxT * 1.000001)) wrong++;
    }
  igsum2d("all", "hypercube", &one, &one, &wrong, &one, &zero, &zero);
  if (iam == 0 && wrong == 0) printf("spread: ok on %d processes\n", nnodes);
  blacsexit(&zero);
  return 0;
}

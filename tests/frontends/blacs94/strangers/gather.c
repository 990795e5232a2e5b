/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Times sums, greatest and least magnitudes, on one process and on all. dest < 0 means all, as in
 * the paper's program.
 */
#include <stdio.h>
#include <stdlib.h>

/* Counts wrong elements of a result. All have 0 at some places, and the process at the smallest
 * distance after the destination wins there. */
static int count_wrong(op, x, rA, cA, len, nnodes, dest)
char op;
double* x;
int *rA, *cA, len, nnodes, dest;
{
  int i, base, winner, wrong = 0;
  for (i = 0; i < len; i++) {
    base = i % 7 - 3;
    winner = op == '>' ? nnodes - 1 : 0;
    if (base == 0) winner = dest < 0 ? 0 : dest;
    if (op == '+' && x[i] != base * nnodes * (nnodes + 1) / 2) wrong++;
    if (op != '+' && (x[i] != base * (winner + 1) || rA[i] != winner || cA[i] != 0)) wrong++;
  }
  return wrong;
}

int main() {
  double dwalltime00_(), *x, time, maxT;
  char *tops = "1234567890tfh", *top, *ops = "+><", *op;
  int iam, nnodes, dest, rdest, len, one = 1, zero = 0, i, reps = 3, j, wrong = 0, two = 2, *rA,
                                     *cA;

  initpinfo(&iam, &nnodes);
  if (nnodes < 1) nnodes = 4;
  auxsetup(&iam, &nnodes);
  blacsinit(&nnodes, &one);
  setbranches_(&two);
  x = (double*)malloc(3000 * sizeof(double));
  rA = (int*)malloc(3000 * sizeof(int));
  cA = (int*)malloc(3000 * sizeof(int));
  for (top = tops; *top; top++) {
    if (*top == '0') continue;
    for (op = ops; *op; op++)
      for (dest = -1; dest < nnodes; dest += nnodes)
        for (len = 1; len <= 3000; len += 2999) {
          rdest = dest < 0 ? -1 : dest;
          barrier_("a");
          time = dwalltime00_();
          for (j = 0; j < reps; j++) {
            for (i = 0; i < len; i++) x[i] = (i % 7 - 3) * (iam + 1);
            if (*op == '+') dgsum2d_("a", top, &len, &one, x, &len, &rdest, &zero);
            if (*op == '>') dgmax2d_("a", top, &len, &one, x, &len, rA, cA, &len, &rdest, &zero);
            if (*op == '<') dgmin2d_("a", top, &len, &one, x, &len, rA, cA, &len, &rdest, &zero);
          }
          maxT = (dwalltime00_() - time) * 1000 / reps;
          if (dest < 0 || dest == iam) wrong += count_wrong(*op, x, rA, cA, len, nnodes, dest);
          dgmax2d("a", "1", &one, &one, &maxT, &one, rA, cA, &one, &zero, &zero);
          if (iam == 0)
            printf("op='%c', top='%c', dest=%d %11d %13.3f\n", *op, *top, dest, len, maxT);
        }
  }
  igsum2d_("a", "1", &one, &one, &wrong, &one, &zero, &zero);
  if (iam == 0 && wrong == 0) printf("gather: ok on %d processes\n", nnodes);
  blacsexit_(&zero);
  return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asks the BLACS of 1994 for message ids on a grid. Arguments: rows, columns, the first and the
 * last id between two processes, and those of scoped operations. Each process prints lines of its
 * number, a question and the ids that it gets:
 *   sends       to {0,0}, to the last process, to {0,0} again
 *   receives    from {0,0}, from the last process, from {0,0} again
 *   broadcasts  its own two in its row, then one in its column, and one in all
 *   received    from the first process of its row, twice; of its column; from {0,0}
 */
#include <stdio.h>
#include <stdlib.h>
#include <tutti-blacs94/tutti_blacs94.h>

int main(int count, char** arguments) {
  int number, processes, rows, columns, row, column;
  int given[6] = {0};
  const int zero = 0, no = 0;
  if (count != 7) return 2;
  for (int i = 0; i < 6; ++i) given[i] = atoi(arguments[i + 1]);
  initpinfo(&number, &processes);
  shift_range(&given[2], &given[3], &given[4], &given[5]);
  blacsinit(&given[0], &given[1]);
  gridinfo(&rows, &columns, &row, &column);
  const int last_row = rows - 1, last_column = columns - 1;

  const int to_first = ksendid(&row, &column, &zero, &zero),
            to_last = ksendid(&row, &column, &last_row, &last_column);
  printf("%d sends %d %d %d\n", number, to_first, to_last, ksendid(&row, &column, &zero, &zero));
  const int from_first = krecvid(&zero, &zero), from_last = krecvid(&last_row, &last_column);
  printf("%d receives %d %d %d\n", number, from_first, from_last, krecvid(&zero, &zero));

  const int in_row = kbsid("Row"), again = kbsid("Row"), in_column = kbsid("Column");
  printf("%d broadcasts %d %d %d %d\n", number, in_row, again, in_column, kbsid("All"));
  /* A process does not receive its own broadcasts. */
  if (row > 0 && column > 0) {
    const int of_row = kbrid("Row", &row, &zero), next = kbrid("Row", &row, &zero),
              of_column = kbrid("Column", &zero, &column);
    printf("%d received %d %d %d %d\n", number, of_row, next, of_column,
           kbrid("All", &zero, &zero));
  }
  blacsexit(&no);
  return 0;
}

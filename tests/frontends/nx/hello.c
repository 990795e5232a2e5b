/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints its arguments, and with "silent" calls nothing of NX. start.py runs it.
 */
#include <nx.h>

#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  char line[200] = "";
  for (int i = 1; i <= argc; i++) {
    strcat(line, " ");
    strcat(line, argv[i] == NULL ? "end" : argv[i]);
  }
  if (argc > 1 && strcmp(argv[1], "silent") == 0) {
    printf("silent\n");
  } else if (argc > 1 && strcmp(argv[1], "mesh") == 0) {
    long rows, cols;
    nx_app_rect(&rows, &cols);
    printf("%ldx%ld\n", rows, cols);
  } else {
    printf("%ld/%ld:%s\n", mynode(), numnodes(), line);
  }
  return 0;
}

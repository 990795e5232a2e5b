/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints its arguments, and with "silent" calls nothing of NX. With "code", node 1 ends early and
 * with an exit code. start.py runs it.
 */
#include <nx.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
  } else if (argc > 1 && strcmp(argv[1], "ptype") == 0) {
    printf("%ld\n", mypid());
  } else if (argc > 1 && strcmp(argv[1], "code") == 0) {
    if (mynode() == 1) return 17;
    usleep(300000); /* node 1 has ended meanwhile */
    printf("node %ld goes on\n", mynode());
  } else {
    printf("%ld/%ld:%s\n", mynode(), numnodes(), line);
  }
  return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs the conformance tests of NX on any number of nodes.
 */
#include "check.h"

long failures = 0;

/* Node 0 hears of all others and tells them so. */
void meet(void) {
  const long gathered = 900000001, released = 900000002;
  if (mynode() == 0) {
    for (long i = 1; i < numnodes(); i++) crecv(gathered, NULL, 0);
    csend(released, NULL, 0, -1, 0);
  } else {
    csend(gathered, NULL, 0, 0, 0);
    crecv(released, NULL, 0);
  }
}

int main(int argc, char** argv) {
  void (*const parts[])(void) = {test_nodes,     test_waited,   test_started,
                                 test_selectors, test_errors,   test_collectives,
                                 test_forced,    test_handlers, test_files};
  if (argc != 1) {
    fprintf(stderr, "%d arguments, the first of which is %s\n", argc - 1, argv[1]);
    return 1;
  }
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    parts[i]();
    meet();
  }
  if (failures != 0) return 1;
  if (mynode() == 0) printf("%ld nodes conform\n", numnodes());
  return 0;
}

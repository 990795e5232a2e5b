/* SPDX-License-Identifier: BSD-3-Clause
 * Messages of NX to and fro, by csend and crecv, which takes them from any node. Argument: rounds.
 */
#include <nx.h>

#include "turns.h"

static void pass(int from, char* data, int bytes) {
  if (mynode() == from) {
    csend(7, data, bytes, 1 - from, 0);
  } else {
    crecv(7, data, bytes);
  }
}

int main(int argc, char** argv) {
  char* data = calloc(4 << 20, 1);
  measure("nx", (int)mynode(), data, argc > 1 ? atoi(argv[1]) : 1);
  free(data);
  return 0;
}

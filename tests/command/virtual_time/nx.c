// SPDX-License-Identifier: BSD-3-Clause
// The clock of NX shows the virtual time.
#include <nx.h>
#include <stdio.h>
#include <tutti/tutti_runtime.h>
#include <tutti/tutti_time.h>

int main(void) {
  for (int turn = 0; turn < 3; ++turn) {
    gsync();
    tutti_spend_time(1500000);
    const double seconds = dclock(), wanted = (double)tutti_nanoseconds() / 1e9;
    if (seconds < wanted - 1e-6 || seconds > wanted + 1e-6) {
      printf("dclock: %.9f, not %.9f\n", seconds, wanted);
      return 1;
    }
  }
  return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures the shared memory of a process. The limits include it, and bench/against/memory.c, which
 * is compiled alone, so it uses nothing but the C library.
 */
#ifndef TUTTI_BENCH_SHARED_KIB_H
#define TUTTI_BENCH_SHARED_KIB_H

#include <stdio.h>

/* Returns the KiB of this process's part in mappings that are shared, of which the job's memory is
 * the one that counts. A page that k processes have counts 1/k for each. Returns -1 if the system
 * does not tell. */
static double shared_kib(void) {
  FILE* maps = fopen("/proc/self/smaps", "r");
  char line[1024], permissions[8];
  unsigned long from, to;
  double sum = 0, kib;
  int shared = 0;
  if (maps == NULL) return -1;
  while (fgets(line, sizeof(line), maps) != NULL) {
    if (sscanf(line, "%lx-%lx %7s", &from, &to, permissions) == 3) {
      shared = permissions[3] == 's';
    } else if (shared && sscanf(line, "Pss: %lf", &kib) == 1) {
      sum += kib;
    }
  }
  fclose(maps);
  return sum;
}

#endif

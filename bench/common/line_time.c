/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starts two processes and prints the line time between them, in microseconds.
 */
#include "driver/line_time.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  tutti_bench_lines* lines =
      mmap(NULL, sizeof *lines, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (lines == MAP_FAILED) {
    perror("mmap");
    return 1;
  }
  const pid_t other = fork();
  if (other < 0) {
    perror("fork");
    return 1;
  }
  const double one_way = tutti_bench_line_time(lines, other == 0 ? 1 : 0);
  if (other == 0) _exit(0);
  waitpid(other, NULL, 0);
  printf("%.4f\n", one_way);
  return 0;
}

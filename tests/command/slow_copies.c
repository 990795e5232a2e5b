/* SPDX-License-Identifier: BSD-3-Clause
 * A library to preload. It makes the tenth copy of a process into the memory of another take half a
 * second, and says just before on standard error with which process. test_long_kills.py preloads
 * it. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int copies;

ssize_t process_vm_writev(pid_t pid, const struct iovec* from, unsigned long from_count,
                          const struct iovec* to, unsigned long to_count, unsigned long flags) {
  if (++copies == 10) {
    fprintf(stderr, "slow copy with %d\n", (int)pid);
    usleep(500000);
  }
  return syscall(SYS_process_vm_writev, pid, from, from_count, to, to_count, flags);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * A library to preload, for test_long_kills.py. It makes the tenth copy of a process into the
 * memory of another take half a second, and says just before on standard error with which process.
 * If TUTTI_LAST_COPY is RANK:NUMBER, no copy is slow, and this rank is killed in the middle of its
 * copy of that number. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int written, copied;

static int is_last(const char* last) {
  const char* const rank = getenv("TUTTI_RANK");
  int of_rank = -1, number = -1;
  return rank != NULL && sscanf(last, "%d:%d", &of_rank, &number) == 2 && of_rank == atoi(rank) &&
         number == copied;
}

/* Copies half of the bytes before the end. */
static ssize_t copy(long call, pid_t pid, const struct iovec* mine, const struct iovec* other) {
  const char* const last = getenv("TUTTI_LAST_COPY");
  ++copied;
  if (last == NULL || !is_last(last)) return syscall(call, pid, mine, 1UL, other, 1UL, 0UL);
  const struct iovec half = {mine->iov_base, mine->iov_len / 2};
  const ssize_t done = syscall(call, pid, &half, 1UL, other, 1UL, 0UL);
  raise(SIGKILL);
  return done;
}

ssize_t process_vm_readv(pid_t pid, const struct iovec* mine, unsigned long mine_count,
                         const struct iovec* other, unsigned long other_count,
                         unsigned long flags) {
  (void)mine_count, (void)other_count, (void)flags;
  return copy(SYS_process_vm_readv, pid, mine, other);
}

ssize_t process_vm_writev(pid_t pid, const struct iovec* mine, unsigned long mine_count,
                          const struct iovec* other, unsigned long other_count,
                          unsigned long flags) {
  (void)mine_count, (void)other_count, (void)flags;
  if (++written == 10 && getenv("TUTTI_LAST_COPY") == NULL) {
    fprintf(stderr, "slow copy with %d\n", (int)pid);
    usleep(500000);
  }
  return copy(SYS_process_vm_writev, pid, mine, other);
}

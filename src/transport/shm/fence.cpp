// SPDX-License-Identifier: BSD-3-Clause
// Fences by the system call membarrier, for which the C library has no function.
#include "transport/shm/fence.hpp"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tutti::transport::shm {
namespace {

long membarrier(int command) {
  return syscall(SYS_membarrier, command, 0U, 0);
}

}  // namespace

bool take_part_in_fences() {
  return membarrier(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED) == 0;
}

void fence_others() {
  membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED);
}

void join_fences(SegmentHeader& header) {
  if (!take_part_in_fences()) header.fences_at_sleep.store(0);
}

}  // namespace tutti::transport::shm

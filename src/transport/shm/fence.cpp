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
  if (membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED) != 0) fence_self();
}

// GCC warns that ThreadSanitizer learns no order from a fence. It need not, because this fence only
// lies between accesses of Shared.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wtsan"
#endif
void fence_self() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

void join_fences(SegmentHeader& header) {
  if (!take_part_in_fences()) header.fences_at_sleep.put(0);
}

}  // namespace tutti::transport::shm

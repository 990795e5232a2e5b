// SPDX-License-Identifier: BSD-3-Clause
// Locks bytes of files.
#include "transport/trace/file_lock.hpp"

#include <fcntl.h>

#include <cerrno>

#include "base/error.hpp"
#include "base/uninterrupted.hpp"

namespace tutti::trace {
namespace {

// The bytes lie behind all content, because a lock need not be on bytes that exist.
constexpr off_t first_byte = off_t{1} << 40;

// Returns false if another process has the lock and `command` does not wait for it.
bool lock(const Descriptor& file, Purpose purpose, int command, short type) {
  struct flock wanted {};
  wanted.l_type = type;
  wanted.l_whence = SEEK_SET;
  wanted.l_start = first_byte + static_cast<int>(purpose);
  wanted.l_len = 1;
  if (base::uninterrupted([&] { return ::fcntl(file.get(), command, &wanted); }) == 0) return true;
  if (command == F_SETLKW || (errno != EAGAIN && errno != EACCES))
    base::fail_errno("a lock on a file of the trace");
  return false;
}

}  // namespace

bool take_if_free(const Descriptor& file, Purpose purpose) {
  return lock(file, purpose, F_SETLK, F_WRLCK);
}

void take(const Descriptor& file, Purpose purpose) {
  lock(file, purpose, F_SETLKW, F_WRLCK);
}

void share(const Descriptor& file, Purpose purpose) {
  lock(file, purpose, F_SETLKW, F_RDLCK);
}

void give_back(const Descriptor& file, Purpose purpose) {
  lock(file, purpose, F_SETLKW, F_UNLCK);
}

}  // namespace tutti::trace

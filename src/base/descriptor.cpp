// SPDX-License-Identifier: BSD-3-Clause
// Keeps descriptors away from 0, 1 and 2.
#include "base/descriptor.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "base/host_calls.hpp"

namespace tutti::base {
namespace {

constexpr int first_own = STDERR_FILENO + 1;

// Closes a descriptor and keeps errno.
void close_quietly(int number) noexcept {
  const int error = errno;
  ::close(number);
  errno = error;
}

void close_from_to(unsigned first, unsigned last) {
  if (close_descriptors(first, last)) return;
  const long most = ::sysconf(_SC_OPEN_MAX);
  const unsigned end = most > 0 ? static_cast<unsigned>(std::min(most, 1L << 20)) : 1024;
  for (unsigned number = first; number <= last && number < end; ++number)
    ::close(static_cast<int>(number));
}

}  // namespace

int raised(int number) noexcept {
  if (number < 0 || number >= first_own) return number;
  const int high = ::fcntl(number, F_DUPFD_CLOEXEC, first_own);
  close_quietly(number);
  return high;
}

bool raise_both(int (&ends)[2]) noexcept {
  ends[0] = raised(ends[0]);
  ends[1] = raised(ends[1]);
  if (ends[0] >= 0 && ends[1] >= 0) return true;
  for (const int end : ends) {
    if (end >= 0) close_quietly(end);
  }
  return false;
}

void let_go_of(int number) noexcept {
  const Descriptor nothing(raised(::open("/dev/null", O_RDWR | O_CLOEXEC)));
  if (!nothing.valid() || ::dup2(nothing.get(), number) < 0) ::close(number);
}

// Another user may have made a file, to read what is written; a link, to redirect it; or a queue
// that nobody reads, to make this process wait. Opened with O_NONBLOCK, a queue is refused instead.
int open_in_shared_folder(const char* path, int flags) noexcept {
  constexpr mode_t this_user_alone = 0600;
  const int file =
      raised(::open(path, flags | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, this_user_alone));
  if (file < 0) {
    const bool is_link = errno == ELOOP, is_queue_or_socket = errno == ENXIO;
    if (is_link || is_queue_or_socket || errno == EISDIR) errno = EACCES;
    return -1;
  }
  struct stat status {};
  const bool known = ::fstat(file, &status) == 0;
  const bool own =
      known && S_ISREG(status.st_mode) && status.st_uid == ::geteuid() && status.st_nlink <= 1;
  if (own && ::fcntl(file, F_SETFL, flags & ~O_NONBLOCK) == 0) return file;
  if (known && !own) errno = EACCES;
  close_quietly(file);
  return -1;
}

void close_all_but(std::vector<int> kept) {
  std::sort(kept.begin(), kept.end());
  unsigned first = first_own;
  for (const int number : kept) {
    if (number < first_own) continue;
    const auto keep = static_cast<unsigned>(number);
    if (keep > first) close_from_to(first, keep - 1);
    first = std::max(first, keep + 1);
  }
  close_from_to(first, ~0U);
}

// A descriptor that is open in the wrong direction fails as a closed one does, with EBADF. So does
// one that was opened with O_PATH, for a sandbox without /dev/null.
void open_missing_stdio() noexcept {
  for (int number = STDIN_FILENO; number < first_own; ++number) {
    if (::fcntl(number, F_GETFD) >= 0 || errno != EBADF) continue;
    const int direction = number == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    // The lowest free number is this one, because those below it are open.
    if (::open("/dev/null", direction) >= 0 || ::open("/", O_PATH) >= 0) continue;
    return;
  }
}

}  // namespace tutti::base

// SPDX-License-Identifier: BSD-3-Clause
// Transfers lists of buffers one buffer after the other (file_lists.hpp).
#include "file_lists.hpp"

#include <sys/stat.h>
#include <tutti-nx/sys/estat.h>

#include "failure.hpp"
#include "files.hpp"

namespace tutti::nx {
namespace {

// Transfers the buffers in their order until one of them is not filled. `part` transfers one of
// them, from an offset if there is one.
template <class Part>
long transfer_all(Offset offset, std::span<const iovec> list, const Part& part) {
  long done = 0;
  for (const iovec& buffer : list) {
    const auto bytes = static_cast<long>(buffer.iov_len);
    const long more = part(offset ? Offset(*offset + done) : offset, buffer.iov_base, bytes);
    done += more;
    if (more < bytes) break;
  }
  return done;
}

tutti_nx_time time_of(const timespec& time) {
  return {time.tv_sec, time.tv_nsec};
}

void tell(const struct stat& found, struct estat* state) {
  if (state == nullptr) fail(EFAULT, "argument 'state' is NULL");
  *state = {found.st_dev,           found.st_ino,           found.st_mode,
            found.st_nlink,         found.st_uid,           found.st_gid,
            found.st_rdev,          found.st_size,          time_of(found.st_atim),
            time_of(found.st_mtim), time_of(found.st_ctim), found.st_blksize,
            found.st_blocks};
}

}  // namespace

std::span<const iovec> checked_list(const iovec* list, int n) {
  if (n < 0) fail(EINVAL, "argument 'n' is {}", n);
  if (list == nullptr && n > 0) fail(EFAULT, "argument 'iov' is NULL with {} buffers", n);
  return {list, static_cast<std::size_t>(n)};
}

long read_list(int file, Offset offset, std::span<const iovec> list) {
  return transfer_all(offset, list, [file](Offset from, void* buffer, long bytes) {
    return from ? read_file_at(file, *from, buffer, bytes) : read_file(file, buffer, bytes);
  });
}

long write_list(int file, Offset offset, std::span<const iovec> list) {
  return transfer_all(offset, list, [file](Offset to, const void* buffer, long bytes) {
    return to ? write_file_at(file, *to, buffer, bytes) : write_file(file, buffer, bytes);
  });
}

void tell_state(const char* path, SymbolicLink link, struct estat* state) {
  if (path == nullptr) fail(EFAULT, "argument 'path' is NULL");
  struct stat found {};
  if ((link == SymbolicLink::followed ? ::stat(path, &found) : ::lstat(path, &found)) != 0)
    fail_system(path);
  tell(found, state);
}

void tell_state(int file, struct estat* state) {
  tell(state_of(file), state);
}

}  // namespace tutti::nx

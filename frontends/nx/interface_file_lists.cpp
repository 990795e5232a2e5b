// SPDX-License-Identifier: BSD-3-Clause
// The names of NX in C for transfers of lists of buffers and at an offset, for what is known of a
// file, and for the Paragon's parallel file system.
#include <tutti-nx/nx.h>

#include "file_lists.hpp"
#include "files.hpp"
#include "forms.hpp"

using namespace tutti::nx;

namespace {

iovec buffer_of(const void* buffer, long bytes) {
  check_buffer(buffer, bytes);
  return {const_cast<void*>(buffer), static_cast<std::size_t>(bytes)};
}

long read_one(int file, long offset, void* buffer, long bytes) {
  const iovec one = buffer_of(buffer, bytes);
  return read_list(file, offset, {&one, 1});
}

long write_one(int file, long offset, const void* buffer, long bytes) {
  const iovec one = buffer_of(buffer, bytes);
  return write_list(file, offset, {&one, 1});
}

// The transfer is over when it has an id.
long id_after(long /*bytes*/) {
  return finished_transfer();
}

[[noreturn]] void reject_file_system() {
  fail(ENOSYS,
       "files are plain files, of no parallel file system: statfs() describes their system");
}

}  // namespace

extern "C" {

TUTTI_NX_TRANSFER(creadv, (int fildes, const iovec* iov, int n),
                  read_list(fildes, {}, checked_list(iov, n)))
TUTTI_NX_TRANSFER(cwritev, (int fildes, const iovec* iov, int n),
                  write_list(fildes, {}, checked_list(iov, n)))
TUTTI_NX_DEFINE(long, ireadv, (int fildes, const iovec* iov, int n),
                return id_after(read_list(fildes, {}, checked_list(iov, n))))
TUTTI_NX_DEFINE(long, iwritev, (int fildes, const iovec* iov, int n),
                return id_after(write_list(fildes, {}, checked_list(iov, n))))

TUTTI_NX_DEFINE(long, readoff, (int fildes, esize_t offset, void* buffer, long nbytes),
                return read_one(fildes, offset, buffer, nbytes))
TUTTI_NX_DEFINE(long, writeoff, (int fildes, esize_t offset, const void* buffer, long nbytes),
                return write_one(fildes, offset, buffer, nbytes))
TUTTI_NX_DEFINE(long, ireadoff, (int fildes, esize_t offset, void* buffer, long nbytes),
                return id_after(read_one(fildes, offset, buffer, nbytes)))
TUTTI_NX_DEFINE(long, iwriteoff, (int fildes, esize_t offset, const void* buffer, long nbytes),
                return id_after(write_one(fildes, offset, buffer, nbytes)))
TUTTI_NX_DEFINE(long, readvoff, (int fildes, esize_t offset, const iovec* iov, int n),
                return read_list(fildes, offset, checked_list(iov, n)))
TUTTI_NX_DEFINE(long, writevoff, (int fildes, esize_t offset, const iovec* iov, int n),
                return write_list(fildes, offset, checked_list(iov, n)))
TUTTI_NX_DEFINE(long, ireadvoff, (int fildes, esize_t offset, const iovec* iov, int n),
                return id_after(read_list(fildes, offset, checked_list(iov, n))))
TUTTI_NX_DEFINE(long, iwritevoff, (int fildes, esize_t offset, const iovec* iov, int n),
                return id_after(write_list(fildes, offset, checked_list(iov, n))))

TUTTI_NX_DEFINE(long, estat, (const char* path, struct estat* state),
                tell_state(path, SymbolicLink::followed, state);
                return 0)
TUTTI_NX_DEFINE(long, lestat, (const char* path, struct estat* state),
                tell_state(path, SymbolicLink::itself, state);
                return 0)
TUTTI_NX_DEFINE(long, festat, (int fildes, struct estat* state), tell_state(fildes, state);
                return 0)

TUTTI_NX_DEFINE(long, statpfs, (const char*, struct estatfs*, struct statpfs*, unsigned),
                reject_file_system())
TUTTI_NX_DEFINE(long, fstatpfs, (int, struct estatfs*, struct statpfs*, unsigned),
                reject_file_system())
TUTTI_NX_DEFINE(long, getpfsinfo, (struct pfsmntinfo**), reject_file_system())
TUTTI_NX_DEFINE(long, restrictvol, (int fildes, int, const int*), check_file(fildes); return 0)

TUTTI_NX_NUMBER(restrictvol, (const int* unit, const int*, const int*),
                (check_file(file_of(*unit)), 0))

}  // extern "C"

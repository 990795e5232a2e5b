// SPDX-License-Identifier: BSD-3-Clause
// The names of NX for files, in C and in Fortran. In Fortran a unit stands for the file.
#include <tutti-nx/nx.h>

#include "files.hpp"
#include "forms.hpp"

using namespace tutti::nx;

namespace {

// An offset of Fortran that has more than 32 bits is two numbers, the low half first.
long offset_of(const int* halves) {
  return static_cast<long>(halves[1]) * (1L << 32) + static_cast<unsigned>(halves[0]);
}

void write_halves(long number, int* halves) {
  halves[0] = static_cast<int>(number);
  halves[1] = static_cast<int>(number >> 32);
}

}  // namespace

extern "C" {

TUTTI_NX_DEFINE(int, gopen, (const char* path, int oflag, int iomode, unsigned perm),
                return open_file(path, oflag, iomode, perm))
TUTTI_NX_DEFINE(void, setiomode, (int fildes, int iomode), check_mode(iomode); check_file(fildes))
TUTTI_NX_DEFINE(long, iomode, (int fildes), check_file(fildes); return 0)
TUTTI_NX_TRANSFER(cread, (int fildes, void* buffer, long nbytes), read_file(fildes, buffer, nbytes))
TUTTI_NX_TRANSFER(cwrite, (int fildes, const void* buffer, long nbytes),
                  write_file(fildes, buffer, nbytes))
TUTTI_NX_DEFINE(long, iread, (int fildes, void* buffer, long nbytes),
                return start_read(fildes, buffer, nbytes))
TUTTI_NX_DEFINE(long, iwrite, (int fildes, const void* buffer, long nbytes),
                return start_write(fildes, buffer, nbytes))
TUTTI_NX_DEFINE(void, iowait, (long id), end_transfer(id))
TUTTI_NX_DEFINE(long, iodone, (long id), end_transfer(id); return 1)
TUTTI_NX_DEFINE(esize_t, eseek, (int fildes, esize_t offset, int whence),
                return seek_file(fildes, offset, whence))
TUTTI_NX_DEFINE(long, lsize, (int fildes, long offset, int whence),
                return lengthen_file(fildes, offset, whence))
TUTTI_NX_DEFINE(esize_t, esize, (int fildes, esize_t offset, int whence),
                return lengthen_file(fildes, offset, whence))
TUTTI_NX_DEFINE(long, iseof, (int fildes), return at_end(fildes) ? 1 : 0)

// The compiler passes the length of a CHARACTER behind the other arguments.
TUTTI_NX_FORTRAN(void, gopen, (const int* unit, const char* path, const int* iomode, long length),
                 open_unit(*unit, path, length, *iomode))
TUTTI_NX_FORTRAN(void, setiomode, (const int* unit, const int* iomode), check_mode(*iomode);
                 check_file(file_of(*unit)))
TUTTI_NX_FORTRAN(int, iomode, (const int* unit), check_file(file_of(*unit)); return 0)
TUTTI_NX_FORTRAN(void, cread, (const int* unit, void* buffer, const int* nbytes),
                 static_cast<void>(read_file(file_of(*unit), buffer, *nbytes)))
TUTTI_NX_FORTRAN(void, cwrite, (const int* unit, const void* buffer, const int* nbytes),
                 write_file(file_of(*unit), buffer, *nbytes))
TUTTI_NX_NUMBER(iread, (const int* unit, void* buffer, const int* nbytes),
                start_read(file_of(*unit), buffer, *nbytes))
TUTTI_NX_NUMBER(iwrite, (const int* unit, const void* buffer, const int* nbytes),
                start_write(file_of(*unit), buffer, *nbytes))
TUTTI_NX_FORTRAN(void, iowait, (const int* id), end_transfer(*id))
TUTTI_NX_FORTRAN(int, iodone, (const int* id), end_transfer(*id); return 1)
TUTTI_NX_FORTRAN(void, eseek, (const int* unit, const int* offset, const int* whence, int* place),
                 write_halves(seek_file(file_of(*unit), offset_of(offset), *whence), place))
TUTTI_NX_FORTRAN(void, esize, (const int* unit, const int* offset, const int* whence, int* length),
                 write_halves(lengthen_file(file_of(*unit), offset_of(offset), *whence), length))
TUTTI_NX_NUMBER(lseek, (const int* unit, const int* offset, const int* whence),
                seek_file(file_of(*unit), *offset, *whence))
TUTTI_NX_NUMBER(lsize, (const int* unit, const int* offset, const int* whence),
                lengthen_file(file_of(*unit), *offset, *whence))
TUTTI_NX_FORTRAN(int, iseof, (const int* unit), return at_end(file_of(*unit)) ? 1 : 0)

}  // extern "C"

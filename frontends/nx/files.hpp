// SPDX-License-Identifier: BSD-3-Clause
// Files in mode 0, in which each node has a position of its own. All functions throw CallFailure.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

namespace tutti::nx {

// Opens a file on all nodes, and returns on each when all have opened it. If a node cannot, the
// call fails on all with the same error.
[[nodiscard]] int open_file(const char* path, int flags, int mode, mode_t permissions);
// Throws CallFailure unless this is a mode that files have, which is 0, and there is such a file.
void check_mode(long mode);
void check_file(int file);

[[nodiscard]] struct stat state_of(int file);
// Throws the CallFailure of errno.
[[noreturn]] void fail_system(const char* what);
void check_buffer(const void* buffer, long bytes);

// Return how many bytes were read, which are fewer at the end of the file, or written.
[[nodiscard]] long read_file(int file, void* buffer, long bytes);
long write_file(int file, const void* buffer, long bytes);
// These begin at an offset from the beginning of the file, and leave the node's position.
[[nodiscard]] long read_file_at(int file, long offset, void* buffer, long bytes);
long write_file_at(int file, long offset, const void* buffer, long bytes);

// Returns an id for a transfer that is over.
[[nodiscard]] long finished_transfer();

// These read and write at once, and return the id of a transfer that is over.
[[nodiscard]] long start_read(int file, void* buffer, long bytes);
[[nodiscard]] long start_write(int file, const void* buffer, long bytes);
// Uses up the id.
void end_transfer(long id);

[[nodiscard]] long seek_file(int file, long offset, int whence);
// Makes the file longer, if it is shorter than that, and returns its length.
[[nodiscard]] long lengthen_file(int file, long offset, int whence);
[[nodiscard]] bool at_end(int file);

// Files of Fortran, by their units. A unit is one that open_unit() has opened, or one of gfortran's
// OPEN.
void open_unit(int unit, const char* path, long length, long mode);
[[nodiscard]] int file_of(int unit);

}  // namespace tutti::nx

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What estat() and its like tell of a file: the members of the operating system's stat.
 */
#ifndef TUTTI_NX_SYS_ESTAT_H
#define TUTTI_NX_SYS_ESTAT_H

#include <sys/stat.h>
#include <tutti-nx/nx.h>

struct estat {
  dev_t st_dev;
  ino_t st_ino;
  mode_t st_mode;
  nlink_t st_nlink;
  uid_t st_uid;
  gid_t st_gid;
  dev_t st_rdev;
  esize_t st_size;
  struct timespec st_atim; /* st_atime is its seconds, and so on */
  struct timespec st_mtim;
  struct timespec st_ctim;
  blksize_t st_blksize;
  blkcnt_t st_blocks;
};

#endif

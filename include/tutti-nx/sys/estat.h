/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The structure that estat(), lestat() and festat() fill in. It has the members of the operating
 * system's stat.
 */
#ifndef TUTTI_NX_SYS_ESTAT_H
#define TUTTI_NX_SYS_ESTAT_H

#include <tutti-nx/nx.h>

struct tutti_nx_time {
  long tv_sec;
  long tv_nsec;
};

struct estat {
  unsigned long st_dev;
  unsigned long st_ino;
  unsigned int st_mode;
  unsigned long st_nlink;
  unsigned int st_uid;
  unsigned int st_gid;
  unsigned long st_rdev;
  esize_t st_size;
  struct tutti_nx_time st_atim;
  struct tutti_nx_time st_mtim;
  struct tutti_nx_time st_ctim;
  long st_blksize;
  long st_blocks;
};

/* The operating system's header has the same names. */
#ifndef st_atime
#define st_atime st_atim.tv_sec
#define st_mtime st_mtim.tv_sec
#define st_ctime st_ctim.tv_sec
#endif

#endif

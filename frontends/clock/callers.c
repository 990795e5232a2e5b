/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells the program's own objects from libraries of the system (callers.h). */
#define _GNU_SOURCE
#include "callers.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <tutti/tutti_runtime.h>
#include <tutti/tutti_time.h>

enum { most_objects = 256 };

typedef struct {
  uintptr_t begin, end;
  int own;
} Object;

static Object objects[most_objects];
static int count;

static int begins(const char* text, const char* with) {
  return strncmp(text, with, strlen(with)) == 0;
}

static int is_of_the_system(const char* path) {
  static const char* const known[] = {"ld-",      "libc.so",   "libm.so",  "libpthread", "librt.",
                                      "libdl.",   "libstdc++", "libgcc_s", "libtutti",   "libpvm3",
                                      "libgpvm3", "libmpi",    "libopen-", "libucp",     "libuct",
                                      "libucs",   "libfabric", "libpmix",  "libhwloc",   "libevent",
                                      "libasan",  "libtsan",   "libubsan", "linux-vdso"};
  const char* const slash = strrchr(path, '/');
  const char* const name = slash == NULL ? path : slash + 1;
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (begins(name, known[i])) return 1;
  return 0;
}

static int note_object(struct dl_phdr_info* info, size_t size, void* user) {
  (void)size;
  (void)user;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)* const part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || (part->p_flags & PF_X) == 0 || count == most_objects) continue;
    const uintptr_t begin = info->dlpi_addr + part->p_vaddr;
    objects[count++] = (Object){begin, begin + part->p_memsz, !is_of_the_system(info->dlpi_name)};
  }
  return 0;
}

/* Code that lies in no object was made while the program runs, so it is the program's. */
static int is_own(uintptr_t address) {
  for (int again = 0; again < 2; ++again) {
    for (int i = 0; i < count; ++i)
      if (address >= objects[i].begin && address < objects[i].end) return objects[i].own;
    count = 0;
    dl_iterate_phdr(note_object, NULL);
  }
  return 1;
}

static void refuse_thread(const char* call) {
  const int rank = tutti_rank(tutti_world());
  fprintf(stderr,
          "tutti: rank %d calls %s from a second thread, but only one thread of a process has a "
          "virtual time: read clocks in the thread that calls tutti\n",
          rank, call);
  _exit(1);
}

static int is_of_program(const void* caller) {
  return tutti_has_virtual_time() && is_own((uintptr_t)caller);
}

static int is_first_thread(void) {
  return syscall(SYS_gettid) == getpid();
}

int tutti_clock_is_of_program(const void* caller) {
  return is_of_program(caller) && is_first_thread();
}

int tutti_clock_is_asked(const void* caller, const char* call) {
  if (!is_of_program(caller)) return 0;
  if (is_first_thread()) return 1;
  if (tutti_initialized()) refuse_thread(call);
  return 0;
}

void* tutti_clock_real(const char* name) {
  return dlsym(RTLD_NEXT, name);
}

uint64_t tutti_clock_epoch(void) {
  return (uint64_t)757382400 * 1000000000;
}

uint64_t tutti_clock_date(void) {
  return tutti_clock_epoch() + tutti_nanoseconds();
}

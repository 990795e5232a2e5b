/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the place of this process in the plan, counts its calls and tells which of them fails.
 *
 * A process is named by its descent: the first one is 0, its first child 0.1, the second child of
 * that 0.1.2. A name outlives exec, because the file knows the pid. So a run that repeats the plan
 * meets the same process, although the pids are others. Only calls from the library and the
 * commands count, which the object that holds the caller's address tells; so do those of the C++
 * library, which opens files for them. */
#define _GNU_SOURCE
#include "plan.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct process {
  _Atomic int32_t pid;
  _Atomic uint32_t children;
  char name[plan_name];
  char program[plan_name];
  _Atomic uint32_t counts[plan_kinds];
};

/* tests/faults/calls.py writes and reads this layout. */
struct plan {
  char target[plan_name];
  int32_t kind;
  int32_t first; /* the number of the call that fails, from 1 on; 0: none */
  int32_t for_good;
  int32_t error;
  _Atomic int32_t fired;
  _Atomic int32_t descriptor; /* of the call that failed first, or -1 */
  _Atomic uint32_t processes;
  struct process process[plan_processes];
};

static struct plan* plan;
static struct process* self;

static struct process* process_of(int32_t pid) {
  const uint32_t n = atomic_load(&plan->processes);
  for (uint32_t i = n < plan_processes ? n : plan_processes; i-- > 0;) {
    if (atomic_load(&plan->process[i].pid) == pid) return &plan->process[i];
  }
  return NULL;
}

static struct process* enter(const char* name) {
  const uint32_t place = atomic_fetch_add(&plan->processes, 1);
  if (place >= plan_processes) return NULL;
  struct process* entered = &plan->process[place];
  snprintf(entered->name, sizeof entered->name, "%s", name);
  snprintf(entered->program, sizeof entered->program, "%s", program_invocation_short_name);
  atomic_store(&entered->pid, (int32_t)syscall(SYS_getpid));
  return entered;
}

static void enter_as_child(const struct process* parent, unsigned number) {
  char name[plan_name];
  snprintf(name, sizeof name, "%.18s.%u", parent->name, number);
  self = enter(name);
}

static void map_plan(void) {
  const char* path = getenv("TUTTI_FAULTS_PLAN");
  if (path == NULL) return;
  const int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void* at =
      (void*)syscall(SYS_mmap, NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  syscall(SYS_close, file);
  if (at != MAP_FAILED) plan = at;
}

static void find_self(void) {
  static int looked;
  if (looked) return;
  looked = 1;
  map_plan();
  if (plan == NULL) return;
  self = process_of((int32_t)syscall(SYS_getpid));
  if (self != NULL) { /* after exec */
    snprintf(self->program, sizeof self->program, "%s", program_invocation_short_name);
    return;
  }
  struct process* parent = process_of((int32_t)syscall(SYS_getppid));
  if (parent == NULL) {
    self = enter("0");
  } else {
    enter_as_child(parent, atomic_fetch_add(&parent->children, 1) + 1);
  }
}

/* A program of posix_spawn has its place from its first moment, so that its calls are counted and
 * its children named, although it may make none. */
__attribute__((constructor)) static void begin(void) {
  find_self();
}

static int is_ours(const void* caller) {
  struct dl_find_object found;
  if (_dl_find_object((void*)(uintptr_t)caller, &found) != 0) return 0;
  const char* path = found.dlfo_link_map->l_name;
  if (*path == '\0') path = program_invocation_name;
  const char* name = strrchr(path, '/');
  name = name == NULL ? path : name + 1;
  static const char* const beginnings[] = {"libtutti", "tutti",     "libpvm3", "libgpvm3",
                                           "_core.",   "libstdc++", "console"};
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; ++i) {
    if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0) return 1;
  }
  return strstr(path, "/proc/self/fd/") != NULL; /* the library, as a supervisor has it */
}

int plan_error(int kind, const void* caller, int descriptor) {
  find_self();
  if (self == NULL || !is_ours(caller)) return 0;
  const uint32_t number = atomic_fetch_add(&self->counts[kind], 1) + 1;
  if (plan->first == 0 || plan->kind != kind || strcmp(plan->target, self->name) != 0) return 0;
  const uint32_t first = (uint32_t)plan->first;
  if (plan->for_good ? number < first : number != first) return 0;
  if (atomic_fetch_add(&plan->fired, 1) == 0) atomic_store(&plan->descriptor, descriptor);
  return plan->error;
}

int plan_next_child(void) {
  find_self();
  return self == NULL ? 0 : (int)atomic_fetch_add(&self->children, 1) + 1;
}

void plan_is_child(int number) {
  if (self != NULL) enter_as_child(self, (unsigned)number);
}

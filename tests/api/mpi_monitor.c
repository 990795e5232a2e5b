/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job of an MPI whose processes watch the failure monitor. The argument names the case.
 * late: rank 1 ends in good order without tutti_finalize, and rank 0 dies after that;
 * lean: the memory of rank 0, which it rewrites meanwhile, must not stay in the monitor;
 * stopped: rank 0 stops the monitor and dies.
 */
#include <dirent.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <tutti/tutti.h>
#include <unistd.h>

enum { most_ranks = 64, many_bytes = 128 << 20, most_kib = 24 << 10 };

static void nap(void) {
  const struct timespec millisecond = {0, 1000000};
  nanosleep(&millisecond, NULL);
}

/* A process that its launcher has not waited for yet has ended, too. */
static int has_ended(int pid) {
  char path[64], line[300] = "";
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  FILE* file = fopen(path, "r");
  if (file == NULL) return 1;
  const char* end = fgets(line, sizeof line, file) == NULL ? NULL : strrchr(line, ')');
  fclose(file);
  return end == NULL || strncmp(end, ") Z", 3) == 0 || strncmp(end, ") X", 3) == 0;
}

static int die_late(int rank) {
  int64_t pid = getpid(), pids[most_ranks];
  const tutti_data mine = tutti_array(&pid, 1, TUTTI_INT64),
                   all = tutti_array(pids, tutti_size(tutti_world()), TUTTI_INT64);
  if (tutti_allgather(tutti_world(), &mine, &all) != TUTTI_OK) return 1;
  MPI_Finalize();
  if (rank != 0) return 0;
  while (!has_ended((int)pids[1])) nap();
  abort();
}

/* Returns the number of the job's memory if the process has mapped it, as this one has; else 0. */
static unsigned long job_memory(const char* pid) {
  char path[300], line[1000];
  unsigned long inode = 0;
  snprintf(path, sizeof path, "/proc/%s/maps", pid);
  FILE* file = fopen(path, "r");
  while (file != NULL && inode == 0 && fgets(line, sizeof line, file) != NULL) {
    if (strstr(line, "memfd:tutti") != NULL) sscanf(line, "%*s %*s %*s %*s %lu", &inode);
  }
  if (file != NULL) fclose(file);
  return inode;
}

/* Returns the anonymous memory in KiB if the process is the monitor of this job; else -1. */
static long monitor_kib(const char* pid) {
  char path[300], line[300], name[100] = "";
  long kib = -1;
  snprintf(path, sizeof path, "/proc/%s/status", pid);
  FILE* file = fopen(path, "r");
  if (file == NULL) return -1;
  while (fgets(line, sizeof line, file) != NULL) {
    if (sscanf(line, "Name: %99s", name) + sscanf(line, "RssAnon: %ld", &kib) > 0) continue;
  }
  fclose(file);
  return strcmp(name, "tutti-monitor") == 0 && job_memory(pid) == job_memory("self") ? kib : -1;
}

/* The monitor may still be about to map the memory. *pid becomes its number. */
static long wait_for_monitor(int* pid) {
  for (;;) {
    DIR* all = opendir("/proc");
    if (all == NULL) return -1;
    long kib = -1;
    for (struct dirent* entry; kib < 0 && (entry = readdir(all)) != NULL;)
      if ((kib = monitor_kib(entry->d_name)) >= 0) *pid = atoi(entry->d_name);
    closedir(all);
    if (kib >= 0) return kib;
    nap();
  }
}

static int look_at_monitor(int rank, char* memory) {
  if (rank == 0) {
    memset(memory, 2, many_bytes);
    int pid = 0;
    const long kib = wait_for_monitor(&pid);
    printf("the monitor has %s KiB of its own (%ld)\n", kib <= most_kib ? "few" : "too many", kib);
  }
  return tutti_barrier(tutti_world()) != TUTTI_OK || tutti_finalize() != TUTTI_OK ||
         MPI_Finalize() != MPI_SUCCESS;
}

static int stop_monitor(int rank) {
  if (rank == 0) {
    int pid = 0;
    wait_for_monitor(&pid);
    kill(pid, SIGSTOP);
    fprintf(stderr, "stopped %d\n", pid);
    abort();
  }
  return tutti_barrier(tutti_world()) != TUTTI_OK;
}

int main(int argc, char** argv) {
  int rank = 0;
  const char* what = argc > 1 ? argv[1] : "late";
  const int lean = strcmp(what, "lean") == 0;
  char* memory = malloc(many_bytes);
  if (lean) memset(memory, 1, many_bytes);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (tutti_init() != TUTTI_OK) return 1;
  if (strcmp(what, "stopped") == 0) return stop_monitor(rank);
  return lean ? look_at_monitor(rank, memory) : die_late(rank);
}

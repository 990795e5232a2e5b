// SPDX-License-Identifier: BSD-3-Clause
// The supervisor of a program that starts its own world must not keep what the program had in its
// memory, neither in large blocks nor in small ones. The program rewrites all of it meanwhile. A
// library that LD_PRELOAD names is for the program and not for the supervisor.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti/tutti.h>
#include <tutti/tutti_runtime.h>
#include <unistd.h>

enum { pieces = 64 * 16, piece_bytes = 64 << 10, block_bytes = 64 << 20, most_kib = 24 << 10 };

static char* memory[pieces + 1];

static void fill(int value) {
  for (int i = 0; i < pieces; ++i) memset(memory[i], value, piece_bytes);
  memset(memory[pieces], value, block_bytes);
}

// Reads "Name:", "PPid:" and "RssAnon:" of a process. Returns the anonymous memory in KiB if the
// process is a supervisor below this one; -1 otherwise.
static long supervisor_kib(const char* pid) {
  char path[300], line[300], name[100] = "";
  int parent = 0;
  long kib = -1;
  snprintf(path, sizeof path, "/proc/%s/status", pid);
  FILE* file = fopen(path, "r");
  if (file == NULL) return -1;
  while (fgets(line, sizeof line, file) != NULL) {
    if (sscanf(line, "Name: %99s", name) + sscanf(line, "PPid: %d", &parent) +
            sscanf(line, "RssAnon: %ld", &kib) >
        0)
      continue;
  }
  fclose(file);
  return strcmp(name, "tutti-supervise") == 0 && parent == getpid() ? kib : -1;
}

// Returns 1 if a process has loaded the library that LD_PRELOAD names, or if it names none.
static int has_preloaded(const char* pid) {
  const char* const library = getenv("LD_PRELOAD");
  char path[300], line[1000];
  snprintf(path, sizeof path, "/proc/%s/maps", pid);
  FILE* file = fopen(path, "r");
  int found = library == NULL;
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    found = found || strstr(line, library) != NULL;
  if (file != NULL) fclose(file);
  return found;
}

int main(void) {
  for (int i = 0; i < pieces; ++i) memory[i] = malloc(piece_bytes);
  memory[pieces] = malloc(block_bytes);
  fill(1);
  tutti_init();
  if (tutti_launched() == 0 && tutti_spawn_world(2) != TUTTI_OK) {
    fprintf(stderr, "%s\n", tutti_error_text());
    return 1;
  }
  tutti_barrier(tutti_world());
  if (!has_preloaded("self")) return 1;
  if (tutti_rank(tutti_world()) == 1) return tutti_finalize();
  fill(2);
  long kib = -1;
  int preloaded = 0;
  DIR* all = opendir("/proc");
  for (struct dirent* entry; kib < 0 && all != NULL && (entry = readdir(all)) != NULL;) {
    kib = supervisor_kib(entry->d_name);
    preloaded = kib >= 0 && getenv("LD_PRELOAD") != NULL && has_preloaded(entry->d_name);
  }
  if (all != NULL) closedir(all);
  printf("the supervisor has %ld KiB of its own and %s the preloaded library\n", kib,
         preloaded ? "has" : "has not");
  tutti_finalize();
  return kib >= 0 && kib <= most_kib && !preloaded ? 0 : 1;
}

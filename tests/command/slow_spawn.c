/* SPDX-License-Identifier: BSD-3-Clause
 * A library to preload. It lets a process sleep after each posix_spawn(), as a busy machine may do.
 * A program that starts its own world has then started its supervisor. */
#include <dlfcn.h>
#include <spawn.h>
#include <time.h>

typedef int (*spawn_fn)(pid_t*, const char*, const posix_spawn_file_actions_t*,
                        const posix_spawnattr_t*, char* const*, char* const*);

int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const* arguments,
                char* const* environment) {
  const spawn_fn real = (spawn_fn)dlsym(RTLD_NEXT, "posix_spawn");
  const int error = real(pid, path, actions, attributes, arguments, environment);
  const struct timespec pause = {0, 200 * 1000 * 1000};
  nanosleep(&pause, NULL);
  return error;
}

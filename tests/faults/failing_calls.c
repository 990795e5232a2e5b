/* SPDX-License-Identifier: BSD-3-Clause
 * A library that is preloaded and lets one call in a job fail, as the plan (plan.h) says. Each
 * function here stands before the C library's of the same name. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "failing.h"

FAILING(ssize_t, read, read, fd, (int fd, void* to, size_t n), (fd, to, n))
FAILING(ssize_t, pread, pread, fd, (int fd, void* to, size_t n, off_t at), (fd, to, n, at))
FAILING(ssize_t, write, write, fd, (int fd, const void* from, size_t n), (fd, from, n))
FAILING(ssize_t, writev, write, fd, (int fd, const struct iovec* parts, int n), (fd, parts, n))
FAILING(ssize_t, pwrite, pwrite, fd, (int fd, const void* from, size_t n, off_t at),
        (fd, from, n, at))
FAILING(off_t, lseek, lseek, fd, (int fd, off_t at, int whence), (fd, at, whence))
FAILING(int, fsync, fsync, fd, (int fd), (fd))
FAILING(int, ftruncate, ftruncate, fd, (int fd, off_t length), (fd, length))
FAILING(int, memfd_create, memfd_create, -1, (const char* name, unsigned flags), (name, flags))
FAILING(int, munmap, munmap, -1, (void* at, size_t n), (at, n))
FAILING(int, madvise, madvise, -1, (void* at, size_t n, int advice), (at, n, advice))
FAILING(int, mincore, mincore, -1, (void* at, size_t n, unsigned char* to), (at, n, to))
FAILING(int, socket, socket, -1, (int domain, int type, int protocol), (domain, type, protocol))
FAILING(int, socketpair, socketpair, -1, (int domain, int type, int protocol, int ends[2]),
        (domain, type, protocol, ends))
FAILING(int, bind, bind, fd, (int fd, const struct sockaddr* at, socklen_t n), (fd, at, n))
FAILING(int, listen, listen, fd, (int fd, int backlog), (fd, backlog))
FAILING(int, connect, connect, fd, (int fd, const struct sockaddr* at, socklen_t n), (fd, at, n))
FAILING(int, accept4, accept, fd, (int fd, struct sockaddr* at, socklen_t* n, int flags),
        (fd, at, n, flags))
FAILING(int, getsockopt, getsockopt, fd, (int fd, int level, int name, void* to, socklen_t* n),
        (fd, level, name, to, n))
FAILING(int, setsockopt, setsockopt, fd,
        (int fd, int level, int name, const void* from, socklen_t n), (fd, level, name, from, n))
FAILING(int, getsockname, getsockname, fd, (int fd, struct sockaddr* at, socklen_t* n), (fd, at, n))
FAILING(int, shutdown, shutdown, fd, (int fd, int how), (fd, how))
FAILING(ssize_t, sendmsg, sendmsg, fd, (int fd, const struct msghdr* message, int flags),
        (fd, message, flags))
FAILING(ssize_t, send, send, fd, (int fd, const void* from, size_t n, int flags),
        (fd, from, n, flags))
FAILING(ssize_t, recvmsg, recvmsg, fd, (int fd, struct msghdr* message, int flags),
        (fd, message, flags))
FAILING(ssize_t, recv, recv, fd, (int fd, void* to, size_t n, int flags), (fd, to, n, flags))
FAILING(int, pipe2, pipe, -1, (int ends[2], int flags), (ends, flags))
FAILING(int, dup2, dup, from, (int from, int to), (from, to))
FAILING(int, flock, flock, fd, (int fd, int operation), (fd, operation))
FAILING(int, epoll_create1, epoll_create, -1, (int flags), (flags))
FAILING(int, epoll_ctl, epoll_ctl, fd, (int set, int operation, int fd, struct epoll_event* event),
        (set, operation, fd, event))
FAILING(int, epoll_wait, epoll_wait, -1, (int set, struct epoll_event* events, int most, int wait),
        (set, events, most, wait))
FAILING(int, poll, poll, -1, (struct pollfd * awaited, nfds_t n, int wait), (awaited, n, wait))
FAILING(int, signalfd, signalfd, -1, (int fd, const sigset_t* signals, int flags),
        (fd, signals, flags))
FAILING(int, timerfd_create, timerfd_create, -1, (clockid_t clock, int flags), (clock, flags))
FAILING(int, timerfd_settime, timerfd_settime, fd,
        (int fd, int flags, const struct itimerspec* wanted, struct itimerspec* before),
        (fd, flags, wanted, before))
FAILING(int, execv, exec, -1, (const char* path, char* const arguments[]), (path, arguments))
FAILING(int, execvp, exec, -1, (const char* file, char* const arguments[]), (file, arguments))
FAILING(int, execvpe, exec, -1,
        (const char* file, char* const arguments[], char* const environment[]),
        (file, arguments, environment))
FAILING(pid_t, waitpid, waitpid, -1, (pid_t pid, int* status, int options), (pid, status, options))
FAILING(int, waitid, waitid, -1, (idtype_t type, id_t id, siginfo_t* info, int options),
        (type, id, info, options))
FAILING(int, kill, kill, -1, (pid_t pid, int signal), (pid, signal))
FAILING(int, setrlimit, setrlimit, -1, (__rlimit_resource_t resource, const struct rlimit* limit),
        (resource, limit))
FAILING(int, getrlimit, getrlimit, -1, (__rlimit_resource_t resource, struct rlimit* limit),
        (resource, limit))
FAILING(int, getrusage, getrusage, -1, (__rusage_who_t who, struct rusage* usage), (who, usage))
FAILING(int, gethostname, gethostname, -1, (char* to, size_t n), (to, n))
FAILING(int, getifaddrs, getifaddrs, -1, (struct ifaddrs * *first), (first))
FAILING(int, uname, uname, -1, (struct utsname * to), (to))
FAILING(int, sched_getcpu, sched_getcpu, -1, (void), ())
FAILING(int, setenv, setenv, -1, (const char* name, const char* value, int replaces),
        (name, value, replaces))
FAILING(int, on_exit, on_exit, -1, (void (*function)(int, void*), void* argument),
        (function, argument))
FAILING(pid_t, setsid, setsid, -1, (void), ())
FAILING(int, chdir, chdir, -1, (const char* path), (path))
FAILING(int, sched_setaffinity, sched_setaffinity, -1, (pid_t pid, size_t n, const cpu_set_t* set),
        (pid, n, set))
FAILING(int, sched_getaffinity, sched_getaffinity, -1, (pid_t pid, size_t n, cpu_set_t* set),
        (pid, n, set))
FAILING(int, stat, stat, -1, (const char* path, struct stat* to), (path, to))
FAILING(int, lstat, stat, -1, (const char* path, struct stat* to), (path, to))
FAILING(int, fstat, stat, fd, (int fd, struct stat* to), (fd, to))
FAILING(int, access, access, -1, (const char* path, int mode), (path, mode))
FAILING(ssize_t, readlink, readlink, -1, (const char* path, char* to, size_t n), (path, to, n))
FAILING(int, mkdir, mkdir, -1, (const char* path, mode_t mode), (path, mode))
FAILING(int, rmdir, rmdir, -1, (const char* path), (path))
FAILING(int, unlink, unlink, -1, (const char* path), (path))
FAILING(int, remove, unlink, -1, (const char* path), (path))
FAILING(int, rename, rename, -1, (const char* from, const char* to), (from, to))
FAILING(int, fchmod, fchmod, fd, (int fd, mode_t mode), (fd, mode))
FAILING(ssize_t, getrandom, getrandom, -1, (void* to, size_t n, unsigned flags), (to, n, flags))
FAILING(int, getentropy, getrandom, -1, (void* to, size_t n), (to, n))
FAILING(ssize_t, process_vm_readv, process_vm, -1,
        (pid_t pid, const struct iovec* mine, unsigned long n, const struct iovec* theirs,
         unsigned long m, unsigned long flags),
        (pid, mine, n, theirs, m, flags))
FAILING(ssize_t, process_vm_writev, process_vm, -1,
        (pid_t pid, const struct iovec* mine, unsigned long n, const struct iovec* theirs,
         unsigned long m, unsigned long flags),
        (pid, mine, n, theirs, m, flags))
FAILING(int, nanosleep, nanosleep, -1, (const struct timespec* time, struct timespec* left),
        (time, left))
FAILING(int, usleep, nanosleep, -1, (useconds_t time), (time))
FAILING(__sighandler_t, signal, sigaction, -1, (int number, __sighandler_t wanted),
        (number, wanted))
FAILING(int, sigaction, sigaction, -1,
        (int signal, const struct sigaction* wanted, struct sigaction* before),
        (signal, wanted, before))

RETURNING(posix_fallocate, posix_fallocate, (int fd, off_t at, off_t n), (fd, at, n))
RETURNING(pthread_create, pthread_create,
          (pthread_t * thread, const pthread_attr_t* attributes, void* (*function)(void*),
           void* argument),
          (thread, attributes, function, argument))
RETURNING(posix_spawn_file_actions_init, posix_spawn, (posix_spawn_file_actions_t * actions),
          (actions))
RETURNING(posix_spawn_file_actions_adddup2, posix_spawn,
          (posix_spawn_file_actions_t * actions, int from, int to), (actions, from, to))

POINTING(char, mkdtemp, mkdir, (char* path), (path))
POINTING(DIR, fdopendir, opendir, (int fd), (fd))
POINTING(DIR, opendir, opendir, (const char* path), (path))
POINTING(struct dirent, readdir, readdir, (DIR * folder), (folder))

/* A descriptor is closed although close reports an error. */
int close(int fd) {
  FIND(close);
  const int error = plan_error(kind_close, CALLER, fd);
  const int result = real(fd);
  if (error == 0) return result;
  errno = error;
  return -1;
}

void* mmap(void* at, size_t n, int protection, int flags, int fd, off_t offset) {
  FIND(mmap);
  const int error = plan_error(kind_mmap, CALLER, fd);
  if (error == 0) return real(at, n, protection, flags, fd, offset);
  errno = error;
  return MAP_FAILED;
}

static int takes_mode(int flags) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

int open(const char* path, int flags, ...) {
  FIND(open);
  va_list more;
  va_start(more, flags);
  const mode_t mode = takes_mode(flags) ? va_arg(more, mode_t) : 0;
  va_end(more);
  const int error = plan_error(kind_open, CALLER, -1);
  if (error == 0) return real(path, flags, mode);
  errno = error;
  return -1;
}

int openat(int folder, const char* path, int flags, ...) {
  FIND(openat);
  va_list more;
  va_start(more, flags);
  const mode_t mode = takes_mode(flags) ? va_arg(more, mode_t) : 0;
  va_end(more);
  const int error = plan_error(kind_open, CALLER, -1);
  if (error == 0) return real(folder, path, flags, mode);
  errno = error;
  return -1;
}

/* Defines a function whose optional last argument is an integer or a pointer, which fits a word. */
#define FAILING_WITH_WORD(name, type)                      \
  int name(int fd, type what, ...) {                       \
    FIND(name);                                            \
    va_list more;                                          \
    va_start(more, what);                                  \
    void* argument = va_arg(more, void*);                  \
    va_end(more);                                          \
    const int error = plan_error(kind_##name, CALLER, fd); \
    if (error == 0) return real(fd, what, argument);       \
    errno = error;                                         \
    return -1;                                             \
  }

FAILING_WITH_WORD(fcntl, int)
FAILING_WITH_WORD(ioctl, unsigned long)

int prctl(int option, ...) {
  FIND(prctl);
  unsigned long words[4];
  va_list more;
  va_start(more, option);
  for (int i = 0; i < 4; ++i) words[i] = va_arg(more, unsigned long);
  va_end(more);
  const int error = plan_error(kind_prctl, CALLER, -1);
  if (error == 0) return real(option, words[0], words[1], words[2], words[3]);
  errno = error;
  return -1;
}

enum { never_fails = -1 };

static int kind_of_syscall(long number, const long* words) {
  switch (number) {
    case SYS_futex:
      /* Waking others fails only for addresses that are none. */
      if ((words[1] & FUTEX_CMD_MASK) != FUTEX_WAIT) return never_fails;
      return words[3] != 0 ? kind_futex_timeout : kind_futex;
    case SYS_pidfd_open:
      return kind_pidfd_open;
    case SYS_pidfd_send_signal:
      return kind_pidfd_send_signal;
    case SYS_close_range:
      return kind_close_range;
    default:
      return kind_other_syscall;
  }
}

long syscall(long number, ...) {
  FIND(syscall);
  long words[6];
  va_list more;
  va_start(more, number);
  for (int i = 0; i < 6; ++i) words[i] = va_arg(more, long);
  va_end(more);
  const int kind = kind_of_syscall(number, words);
  const int error = kind == never_fails ? 0 : plan_error(kind, CALLER, -1);
  if (error == 0) return real(number, words[0], words[1], words[2], words[3], words[4], words[5]);
  errno = error;
  return -1;
}

pid_t fork(void) {
  FIND(fork);
  const int error = plan_error(kind_fork, CALLER, -1);
  if (error != 0) {
    errno = error;
    return -1;
  }
  const int number = plan_next_child();
  const pid_t pid = real();
  if (pid == 0) plan_is_child(number);
  return pid;
}

/* The library starts its supervisor with itself as the only library that is preloaded. This one is
 * added, so that the supervisor's calls may fail, too. */
int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const arguments[],
                char* const environment[]) {
  FIND(posix_spawn);
  const int error = plan_error(kind_posix_spawn, CALLER, -1);
  if (error != 0) return error;
  Dl_info own;
  size_t n = 0;
  while (environment[n] != NULL) ++n;
  char** copy = malloc((n + 1) * sizeof *copy);
  char preload[8192];
  if (copy == NULL || dladdr((void*)(uintptr_t)&plan_error, &own) == 0) return ENOMEM;
  for (size_t i = 0; i <= n; ++i) {
    copy[i] = environment[i];
    if (copy[i] == NULL || strncmp(copy[i], "LD_PRELOAD=", 11) != 0) continue;
    if (strstr(copy[i], own.dli_fname) != NULL) continue;
    snprintf(preload, sizeof preload, "%s:%s", copy[i], own.dli_fname);
    copy[i] = preload;
  }
  const int result = real(pid, path, actions, attributes, arguments, copy);
  free(copy);
  return result;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits of threads until a date. The wait is real, so the virtual date becomes the real one that is
 * as far away. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "callers.h"

enum { ns_per_s = 1000000000 };

/* Returns the real date for a virtual one, which is as far away. */
static struct timespec real_date(const struct timespec* date) {
  struct timespec now;
  // Failure is harmless: this clock is always there.
  syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
  const int64_t wanted = (int64_t)date->tv_sec * ns_per_s + date->tv_nsec;
  const int64_t ahead = wanted - (int64_t)tutti_clock_date();
  const int64_t real = (int64_t)now.tv_sec * ns_per_s + now.tv_nsec + ahead;
  if (real < 0) return (struct timespec){0, 0};
  return (struct timespec){real / ns_per_s, real % ns_per_s};
}

#define OF_PROGRAM tutti_clock_is_of_program(__builtin_return_address(0))
#define REAL(name)               \
  static __typeof__(name)* real; \
  if (real == NULL) *(void**)&real = tutti_clock_real(#name)

int pthread_cond_timedwait(pthread_cond_t* restrict condition, pthread_mutex_t* restrict mutex,
                           const struct timespec* restrict date) {
  REAL(pthread_cond_timedwait);
  if (!OF_PROGRAM) return real(condition, mutex, date);
  const struct timespec until = real_date(date);
  return real(condition, mutex, &until);
}

int pthread_mutex_timedlock(pthread_mutex_t* restrict mutex, const struct timespec* restrict date) {
  REAL(pthread_mutex_timedlock);
  if (!OF_PROGRAM) return real(mutex, date);
  const struct timespec until = real_date(date);
  return real(mutex, &until);
}

int sem_timedwait(sem_t* restrict semaphore, const struct timespec* restrict date) {
  REAL(sem_timedwait);
  if (!OF_PROGRAM) return real(semaphore, date);
  const struct timespec until = real_date(date);
  return real(semaphore, &until);
}

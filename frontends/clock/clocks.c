/* SPDX-License-Identifier: BSD-3-Clause */
/* Clocks, and sleeps, which are computation of that length. Processor time passes as all time does,
 * because a process has its node for itself. */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include <tutti/tutti_runtime.h>
#include <tutti/tutti_time.h>
#include "callers.h"

enum { ns_per_s = 1000000000, ns_per_us = 1000 };

#define ASKED(name) tutti_clock_is_asked(__builtin_return_address(0), #name)
/* Declares `real`, the function that this one replaces. */
#define REAL(name, ...)          \
  static __typeof__(name)* real; \
  if (real == NULL) *(void**)&real = tutti_clock_real(#name)

static struct timespec as_timespec(uint64_t ns) {
  return (struct timespec){(time_t)(ns / ns_per_s), (long)(ns % ns_per_s)};
}

/* --- clocks --- */

int clock_gettime(clockid_t which, struct timespec* time) {
  REAL(clock_gettime);
  if (!ASKED(clock_gettime)) return real(which, time);
  switch (which) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI:
      *time = as_timespec(tutti_clock_date());
      return 0;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_BOOTTIME:
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID:
      *time = as_timespec(tutti_nanoseconds());
      return 0;
    default:
      return real(which, time);
  }
}

int gettimeofday(struct timeval* restrict time, void* restrict zone) {
  REAL(gettimeofday);
  if (!ASKED(gettimeofday)) return real(time, zone);
  const struct timespec now = as_timespec(tutti_clock_date());
  if (time != NULL) *time = (struct timeval){now.tv_sec, now.tv_nsec / ns_per_us};
  return 0;
}

time_t time(time_t* result) {
  REAL(time);
  if (!ASKED(time)) return real(result);
  const time_t now = (time_t)(tutti_clock_date() / ns_per_s);
  if (result != NULL) *result = now;
  return now;
}

int timespec_get(struct timespec* time, int base) {
  REAL(timespec_get);
  if (base != TIME_UTC || !ASKED(timespec_get)) return real(time, base);
  *time = as_timespec(tutti_clock_date());
  return base;
}

clock_t clock(void) {
  REAL(clock);
  if (!ASKED(clock)) return real();
  return (clock_t)(tutti_nanoseconds() / (ns_per_s / CLOCKS_PER_SEC));
}

clock_t times(struct tms* parts) {
  REAL(times);
  if (!ASKED(times)) return real(parts);
  const clock_t now = (clock_t)(tutti_nanoseconds() / (uint64_t)(ns_per_s / sysconf(_SC_CLK_TCK)));
  if (parts != NULL) *parts = (struct tms){now, 0, 0, 0};
  return now;
}

/* The clocks of C++ are functions of its library, which returns a number of nanoseconds. */
int64_t steady_now(void) __asm__("_ZNSt6chrono3_V212steady_clock3nowEv");
int64_t system_now(void) __asm__("_ZNSt6chrono3_V212system_clock3nowEv");

int64_t steady_now(void) {
  static int64_t (*real)(void);
  if (tutti_clock_is_asked(__builtin_return_address(0), "steady_clock::now"))
    return (int64_t)tutti_nanoseconds();
  if (real == NULL) *(void**)&real = tutti_clock_real("_ZNSt6chrono3_V212steady_clock3nowEv");
  return real();
}

int64_t system_now(void) {
  static int64_t (*real)(void);
  if (tutti_clock_is_asked(__builtin_return_address(0), "system_clock::now"))
    return (int64_t)tutti_clock_date();
  if (real == NULL) *(void**)&real = tutti_clock_real("_ZNSt6chrono3_V212system_clock3nowEv");
  return real();
}

#define OF_PROGRAM tutti_clock_is_of_program(__builtin_return_address(0))

/* --- sleeps. A process that is not in its job sleeps really. --- */

static uint64_t ns_of(const struct timespec* time) {
  return (uint64_t)time->tv_sec * ns_per_s + (uint64_t)time->tv_nsec;
}

static int is_wrong(const struct timespec* time) {
  return time->tv_sec < 0 || time->tv_nsec < 0 || time->tv_nsec >= ns_per_s;
}

unsigned sleep(unsigned seconds) {
  REAL(sleep);
  if (OF_PROGRAM && tutti_spend_time((uint64_t)seconds * ns_per_s)) return 0;
  return real(seconds);
}

int usleep(useconds_t us) {
  REAL(usleep);
  if (OF_PROGRAM && tutti_spend_time((uint64_t)us * ns_per_us)) return 0;
  return real(us);
}

int nanosleep(const struct timespec* time, struct timespec* left) {
  REAL(nanosleep);
  if (!is_wrong(time) && OF_PROGRAM && tutti_spend_time(ns_of(time))) return 0;
  return real(time, left);
}

int clock_nanosleep(clockid_t which, int flags, const struct timespec* time,
                    struct timespec* left) {
  REAL(clock_nanosleep);
  if (is_wrong(time) || !OF_PROGRAM) return real(which, flags, time, left);
  const int until = (flags & TIMER_ABSTIME) != 0;
  uint64_t ns = ns_of(time);
  if (until && which == CLOCK_REALTIME) ns -= ns < tutti_clock_epoch() ? ns : tutti_clock_epoch();
  if (until ? tutti_spend_until(ns) : tutti_spend_time(ns)) return 0;
  return real(which, flags, time, left);
}

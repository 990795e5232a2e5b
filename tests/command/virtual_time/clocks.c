// SPDX-License-Identifier: BSD-3-Clause
// Reads each clock of the C library and sleeps in each way, in a job in virtual time. A clock that
// does not show the virtual time is printed, and so is a sleep that does not take what it should.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <tutti/tutti.h>
#include <tutti/tutti_runtime.h>
#include <tutti/tutti_time.h>
#include <unistd.h>

enum { ns_per_s = 1000000000 };
static const uint64_t epoch = 757382400; /* 1994-01-01 UTC */
static int wrong;

uint64_t clock_of_library(void);
uint64_t chrono_steady(void);
uint64_t chrono_system(void);
void chrono_sleep(uint64_t ns);

static void expect(const char* what, uint64_t seen, uint64_t expected) {
  if (seen == expected) return;
  printf("%s: %llu, not %llu\n", what, (unsigned long long)seen, (unsigned long long)expected);
  wrong = 1;
}

static uint64_t now(void) {
  return tutti_nanoseconds();
}

static uint64_t ns_of(struct timespec time) {
  return (uint64_t)time.tv_sec * ns_per_s + (uint64_t)time.tv_nsec;
}

static uint64_t read_clock(clockid_t which) {
  struct timespec time = {0, 0};
  if (clock_gettime(which, &time) != 0) expect("clock_gettime", 1, 0);
  return ns_of(time);
}

static uint64_t real_clock(void) {
  struct timespec time;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
  return ns_of(time);
}

static void read_clocks(void) {
  const uint64_t date = epoch * ns_per_s;
  expect("CLOCK_MONOTONIC", read_clock(CLOCK_MONOTONIC), now());
  expect("CLOCK_MONOTONIC_RAW", read_clock(CLOCK_MONOTONIC_RAW), now());
  expect("CLOCK_MONOTONIC_COARSE", read_clock(CLOCK_MONOTONIC_COARSE), now());
  expect("CLOCK_BOOTTIME", read_clock(CLOCK_BOOTTIME), now());
  expect("CLOCK_PROCESS_CPUTIME_ID", read_clock(CLOCK_PROCESS_CPUTIME_ID), now());
  expect("CLOCK_THREAD_CPUTIME_ID", read_clock(CLOCK_THREAD_CPUTIME_ID), now());
  expect("CLOCK_REALTIME", read_clock(CLOCK_REALTIME), date + now());
  expect("CLOCK_REALTIME_COARSE", read_clock(CLOCK_REALTIME_COARSE), date + now());
  expect("CLOCK_TAI", read_clock(CLOCK_TAI), date + now());
  struct timeval micro;
  expect("gettimeofday", gettimeofday(&micro, NULL) == 0, 1);
  expect("gettimeofday", (uint64_t)micro.tv_sec * 1000000 + (uint64_t)micro.tv_usec,
         (date + now()) / 1000);
  time_t seconds;
  expect("time", (uint64_t)time(&seconds), epoch + now() / ns_per_s);
  expect("time of its argument", (uint64_t)seconds, (uint64_t)time(NULL));
  struct timespec utc;
  expect("timespec_get", timespec_get(&utc, TIME_UTC) == TIME_UTC ? ns_of(utc) : 0, date + now());
  expect("clock", (uint64_t)clock(), now() / (ns_per_s / CLOCKS_PER_SEC));
  struct tms parts = {0};
  const uint64_t ticks = now() / (ns_per_s / (uint64_t)sysconf(_SC_CLK_TCK));
  expect("times", (uint64_t)times(&parts), ticks);
  expect("times of its argument", (uint64_t)parts.tms_utime, ticks);
  expect("a library of the program", clock_of_library(), now());
  expect("steady_clock", chrono_steady(), now());
  expect("system_clock", chrono_system(), date + now());
}

static void sleep_in_each_way(void) {
  uint64_t begin = now();
  const uint64_t real = real_clock();
  expect("sleep", sleep(1000), 0);
  expect("after sleep", now(), begin += (uint64_t)1000 * ns_per_s);
  expect("usleep", (uint64_t)usleep(77), 0);
  expect("after usleep", now(), begin += 77000);
  const struct timespec some = {50, 123456789};
  struct timespec left = {1, 1};
  expect("nanosleep", (uint64_t)nanosleep(&some, &left), 0);
  expect("after nanosleep", now(), begin += ns_of(some));
  expect("clock_nanosleep", (uint64_t)clock_nanosleep(CLOCK_MONOTONIC, 0, &some, NULL), 0);
  expect("after clock_nanosleep", now(), begin += ns_of(some));
  const clockid_t clocks[] = {CLOCK_MONOTONIC, CLOCK_REALTIME};
  for (int i = 0; i < 2; ++i) {
    struct timespec date;
    clock_gettime(clocks[i], &date);
    date.tv_sec += 30;
    expect("absolute", (uint64_t)clock_nanosleep(clocks[i], TIMER_ABSTIME, &date, NULL), 0);
    expect("after clock_nanosleep until a date", now(), begin += (uint64_t)30 * ns_per_s);
    expect("over", (uint64_t)clock_nanosleep(clocks[i], TIMER_ABSTIME, &date, NULL), 0);
    expect("after a date that is over", now(), begin);
  }
  chrono_sleep((uint64_t)20 * ns_per_s);
  expect("after sleep_for", now(), begin += (uint64_t)20 * ns_per_s);
  const struct timespec bad = {0, ns_per_s};
  errno = 0;
  expect("nanosleep of a wrong time", nanosleep(&bad, NULL) == -1 && errno == EINVAL, 1);
  expect("clock_nanosleep of one", (uint64_t)clock_nanosleep(CLOCK_MONOTONIC, 0, &bad, NULL),
         EINVAL);
  expect("after wrong times", now(), begin);
  if (real_clock() - real > (uint64_t)60 * ns_per_s) expect("seconds of this machine", 1, 0);
}

// These waits are real, and take as long as the virtual date is away.
static void wait_until_dates(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  struct timespec date;
  clock_gettime(CLOCK_REALTIME, &date);
  date.tv_nsec += 50000000;
  date.tv_sec += date.tv_nsec / ns_per_s;
  date.tv_nsec %= ns_per_s;
  const uint64_t real = real_clock();
  pthread_mutex_lock(&mutex);
  expect("pthread_cond_timedwait", (uint64_t)pthread_cond_timedwait(&condition, &mutex, &date),
         ETIMEDOUT);
  expect("pthread_mutex_timedlock", (uint64_t)pthread_mutex_timedlock(&mutex, &date), ETIMEDOUT);
  errno = 0;
  expect("sem_timedwait", sem_timedwait(&semaphore, &date) == -1 && errno == ETIMEDOUT, 1);
  const uint64_t took = real_clock() - real;
  if (took < 49000000) expect("nanoseconds of waits", took, 150000000);
  pthread_mutex_unlock(&mutex);
  sem_destroy(&semaphore);
}

int main(void) {
  const uint64_t before = real_clock();
  usleep(30000);
  if (real_clock() - before < 30000000) expect("a sleep before tutti_init is real", 0, 1);
  expect("time before tutti_init", now(), 0);
  if (tutti_init() != TUTTI_OK) return 1;
  expect("has virtual time", (uint64_t)tutti_has_virtual_time(), 1);
  if (now() > ns_per_s / 100) expect("time at the beginning", now(), 0);
  read_clocks();
  expect("tutti_spend_time", (uint64_t)tutti_spend_time(1234567891234), 1);
  read_clocks();
  sleep_in_each_way();
  read_clocks();
  wait_until_dates();
  tutti_barrier(tutti_world());
  read_clocks();
  const uint64_t last = now();
  if (tutti_finalize() != TUTTI_OK) return 1;
  expect("time after tutti_finalize", now(), last);
  return wrong;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Declarations that the files of the program `tasks` share. */
#ifndef TUTTI_TESTS_LAUNCH_TASKS_H
#define TUTTI_TESTS_LAUNCH_TASKS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <tutti/tutti_runtime.h>

#define CHECK(condition)                                                                        \
  do {                                                                                          \
    if (!(condition)) {                                                                         \
      fprintf(stderr, "line %d: %s is false (%s)\n", __LINE__, #condition, tutti_error_text()); \
      exit(1);                                                                                  \
    }                                                                                           \
  } while (0)
#define OK(call) CHECK((call) == TUTTI_OK)

extern const char* self; /* this program */

/* Starts `count` copies of this program that do what the word says. */
void spawn(const char* word, int count, int* endpoints);
/* Returns the next number from a source, and its key unless `key` is NULL; -status if there is
 * none. */
int receive(int source, uint64_t* key);

/* tasks_lock.c: takes a lock in a record; and tests what becomes of it if a task is killed. */
void take_lock(void);
void lock_of_the_dead(void);

/* tasks_mpi.c: tests for jobs that MPI has started. */
void under_mpi(const char* test, int count);

#endif

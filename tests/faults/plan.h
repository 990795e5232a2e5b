/* SPDX-License-Identifier: BSD-3-Clause
 * The plan of one run with a failing call: which process, which kind of call, from which number on.
 * All processes of the job share it in a file, in which they also count their calls. */
#ifndef TUTTI_TESTS_FAULTS_PLAN_H
#define TUTTI_TESTS_FAULTS_PLAN_H
#include <stdint.h>
#include <sys/types.h>

enum { plan_kinds = 96, plan_processes = 128, plan_errors = 4, plan_name = 24 };

/* Tells what the named kind of call does now, when `caller` makes it: 0 if it shall work, else the
 * error number with which it fails. `descriptor` is the file that the call concerns, or -1. */
int plan_error(int kind, const void* caller, int descriptor);

/* Gives the next child of this process its number. The parent calls it before fork. */
int plan_next_child(void);

/* Tells the child of a fork which child it is. */
void plan_is_child(int number);
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Who reads a clock. The program and its own libraries get virtual time. The C library, that of
 * C++, MPIs and tutti itself measure real waits, so they get the clocks of this machine. */
#ifndef TUTTI_CLOCK_CALLERS_H
#define TUTTI_CLOCK_CALLERS_H

#include <stdint.h>

/* Returns 1 if the process has virtual time and the code at this address is the program's. A thread
 * other than that of main() ends the process with a sentence, because only one thread of a process
 * has a virtual time. `call` is the function that it has called. */
int tutti_clock_is_asked(const void* caller, const char* call);
/* The same for a call that passes time, which in other threads is real. */
int tutti_clock_is_of_program(const void* caller);

/* Returns the function of this name that this library replaces. */
void* tutti_clock_real(const char* name);

/* Virtual dates begin at 1994-01-01 UTC. Return nanoseconds since 1970: those of that moment, and
 * those of now. */
uint64_t tutti_clock_epoch(void);
uint64_t tutti_clock_date(void);

#endif

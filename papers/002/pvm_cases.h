/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part of pvm-probe that asks PVM what it does, instead of measuring it. */
#ifndef TUTTI_PAPERS_PVM_CASES_H
#define TUTTI_PAPERS_PVM_CASES_H

/* Needs seven tasks, of which the first six share a host. Returns an exit code. */
int pvm_cases(void);

#endif

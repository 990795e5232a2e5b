/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The timing programs of appendix D of paper 000 in one source: Tc (a message there and back), Ts
 * (a send as the sender sees it), Tbs (broadcasts) and Tg (combines). Each library has an adapter
 * that defines the functions below, so a binary measures one library. `tutti reproduce --measure
 * 000` starts the binaries.
 */
#ifndef TUTTI_BENCH_TIMING_H
#define TUTTI_BENCH_TIMING_H

#include <stddef.h>
#include <stdio.h>

enum { timing_most_receivers = 256 };
typedef enum { timing_tc, timing_ts, timing_tbs, timing_tg } timing_program;

/* What the arguments ask for. Lengths are bytes in Tc and Ts, and doubles in Tbs and Tg. */
typedef struct {
  timing_program program;
  char op;      /* '+', '>' or '<' */
  char top;     /* 'p' is the operation that the library itself chooses */
  int branches; /* the number behind TOP, for rings of M and branches of T; 0 if there is none */
  int len1, lenN, inclen, reps;
  int root; /* the sender, the source, or the destination; -1: all processes get the result */
  int receivers[timing_most_receivers], receiver_count;
  const char* outfile;
} timing_request;

/* The processes, and the doubles and integers of one call. */
typedef struct {
  int me, p;
  double *data, *work;
  int *rows, *columns; /* where a maximum or minimum comes from */
  FILE* out;
} timing_job;

/* ---- adapters ---- */

extern const char* const library_name;
/* 1 if a maximum or minimum tells where it comes from. */
extern const int library_has_places;
/* Returns why the library cannot do what is asked, or NULL. */
const char* library_refuses(const timing_request* request);
/* Joins the job. A program that was started by hand becomes `wanted` processes if the library can
 * start them. *p is below 1 if there are no processes. */
void library_start(int wanted, int* me, int* p);
void library_finish(void);
/* Ends all processes. */
void library_abort(void);
void library_sync(void);
/* `bytes` is a multiple of 4. */
void library_send(int to, void* data, int bytes);
void library_receive(int from, void* data, int bytes);
void library_prepare(const timing_request* request);
void library_broadcast(const timing_job* job, const timing_request* request, int n);
/* Returns the array that has the result. */
const double* library_combine(const timing_job* job, const timing_request* request, int n);
/* Combines a number of each process, by '+', '>' or '<'. All processes get the result. */
double library_combined(double mine, char op);

/* ---- the programs ---- */

/* Returns a sentence that says what is wrong with the arguments, or NULL. */
const char* timing_read(int argc, char** argv, timing_request* request);
int timing_next_length(const timing_request* request, int length);
int timing_lengths(const timing_request* request);
void timing_wrong(const timing_job* job, const char* what, int length);

void timing_messages(timing_job* job, const timing_request* request);
void timing_scoped(timing_job* job, const timing_request* request);

#endif

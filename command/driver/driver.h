/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The single driver of `tutti bench`. It is compiled against tutti and against every MPI that is
 * compared with tutti, so that both do the same work on the same buffers and the same code times
 * and verifies them. The functions at the end of this file differ between the libraries.
 */
#ifndef TUTTI_BENCH_DRIVER_DRIVER_H
#define TUTTI_BENCH_DRIVER_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#include "driver/line_time.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { nobody, at_root, everybody } bench_holder;
/* in_place: the output is in the buffer of the input. */
typedef enum { one_part, part_per_rank, in_place } bench_extent;
typedef enum {
  nothing,
  data_of_root,
  data_of_senders,
  sum_of_all,
  sum_up_to_me,
  sum_below_me
} bench_content;

typedef struct {
  const char* name;
  bench_holder input;
  bench_extent input_extent;
  bench_holder output;
  bench_extent output_extent;
  bench_content content;
} bench_operation;

enum {
#define TUTTI_BENCH_OPERATION(name, ...) bench_op_##name,
#include "driver/operations.def"
#undef TUTTI_BENCH_OPERATION
  bench_operation_count
};
extern const bench_operation bench_operations[bench_operation_count];

/* The subject of one sample. `n` doubles are one part: the vector, or the data that one rank
 * contributes or gets. */
typedef struct {
  int op;
  int64_t n;
} bench_cell;

typedef struct {
  double* input;
  double* output;
  double* pattern; /* data from which this rank's input is rewritten */
  int me, p;
  int root; /* root of all timed calls; -1: each process in turn */
  /* NULL, or the inputs of a root and of the others, between which bench_take_input() chooses */
  double *of_root, *of_others;
} bench_memory;

/* A small file that all processes map, for the line time. */
typedef struct {
  tutti_bench_lines lines;
  double line_time; /* result of the last probe */
  long probes_done;
} bench_shared;

/* Most plans that a cell may name. Each of its samples keeps a time for every plan. */
enum { bench_most_plans = 8 };

/* Defined in driver.c: the program of one rank, which prints JSON lines. Arguments: NAME
 * LINES_FILE SECONDS MICROSECONDS CELLS [ROOT] [shared|shared-by-root].
 * SECONDS is how long samples are taken; SECONDS/ROUNDS also asks for at least ROUNDS samples of
 * each cell. MICROSECONDS is how long a sample should take. CELLS is a list such as
 * barrier:0,bcast:8. A cell may name plans, as in bcast:8/mst/tree:branches=2; each of its
 * samples then times all of them, one right after the other. ROOT is the root of all timed
 * calls; if it is missing or -1, each process is the root in turn. With the word `shared` the
 * buffers of the calls lie in memory that the other processes reach directly. With
 * `shared-by-root` only the input of a call's root does. */
int bench_driver(int argc, char** argv);

/* operations.c */
int64_t bench_input_elements(const bench_cell* cell, int p);
int64_t bench_output_elements(const bench_cell* cell, int p);
void bench_fill(const bench_memory* memory, int64_t count);
/* Returns true if `rank` is one of the holders. */
int bench_holds(bench_holder holder, int rank, int root);
int bench_has_input(const bench_cell* cell, const bench_memory* memory, int root);
/* Takes this rank's input for a call with this root. Others than the root may have another one. */
void bench_take_input(const bench_cell* cell, bench_memory* memory, int root);
/* Checks the results of two calls, with the roots 0 and 1. */
int bench_verify(const bench_cell* cell, bench_memory* memory);

/* Defined in timing.c. Returns the microseconds of one call, without the time to rewrite the
 * data. */
double bench_time(const bench_cell* cell, bench_memory* memory, int calls);

/* The functions below are what a library does for the driver. Those that return int return 0 if
 * all is well. */
int library_start(int* me, int* p);
void library_finish(void);
void library_abort(void);
/* Prepares the calls of a cell that follow. */
void library_prepare(const bench_cell* cell, const bench_memory* memory);
int library_call(int op, int root);
/* Adds a way to do an operation other than the library's own choice: the plan of that name.
 * Returns its number, or own_choice after a message if the library has no such way. */
enum { own_choice = -1 };
int library_add_way(int op, const char* plan);
/* Makes library_call() use this way from now on. The functions below always use the library's
 * own choice. */
void library_take(int way);
/* Returns memory that the other processes of the job reach directly, aligned to a cache line, until
 * library_finish(), or NULL if the library has none. method.c defines it for libraries that stand
 * on tutti. */
void* library_shared_memory(size_t bytes);
void library_barrier(void);
double library_max(double mine);
double library_sum(double mine);
/* library_method() returns how the last call between library_watch(1) and library_watch(0) was
 * done, as members of a JSON object after a comma, or an empty text if the library does not
 * tell. */
void library_watch(int on);
const char* library_method(void);

/* Long messages that were sent without packets, as tutti_count_sent_long() counts them. */
typedef struct {
  double in_place, together;
} bench_sent_long;
/* Counts those that this process has sent so far. Returns 1 on every rank if the library does not
 * tell, else 0. */
int library_sent_long(bench_sent_long* sent);

/* Defined in method.c, which has these functions for libraries that stand on tutti. Returns true
 * between library_watch(1) and library_watch(0). */
int bench_watches_method(void);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The one driver of `tutti bench`: compiled against tutti and against every MPI that is compared
 * with it, so both do the same work on the same buffers and are timed and verified by the same
 * code. The last part is what differs.
 */
#ifndef TUTTI_BENCH_DRIVER_DRIVER_H
#define TUTTI_BENCH_DRIVER_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#include "common/line_time.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { nobody, at_root, everybody } bench_holder;
/* in_place: the output is where the input is. */
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

/* What one sample measures; `n` doubles are one part: the vector, or what one rank contributes or
 * gets. */
typedef struct {
  int op;
  int64_t n;
} bench_cell;

typedef struct {
  double* input;
  double* output;
  double* pattern; /* what this rank's input is rewritten from */
  int me, p;
  int root; /* of all timed calls; -1: each process in turn */
} bench_memory;

/* A small file that all processes map, for the line time. */
typedef struct {
  tutti_bench_lines lines;
  double line_time; /* of the last probe */
  long probes_done;
} bench_shared;

/* How many plans a cell may name: each of its samples keeps a time for every one of them. */
enum { bench_most_plans = 8 };

/* driver.c: the program of one rank. Arguments: NAME LINES_FILE SECONDS MICROSECONDS CELLS [ROOT];
 * SECONDS is how long samples are taken, and SECONDS/ROUNDS asks for at least so many of each cell;
 * MICROSECONDS is how long a sample should take, CELLS a list such as barrier:0,bcast:8. A cell may
 * name plans: bcast:8/mst/tree:branches=2; each of its samples then times all of them, one right
 * after the other. ROOT is the root of all timed calls; without it, or with -1, each process in
 * turn. Prints JSON lines. */
int bench_driver(int argc, char** argv);

/* operations.c */
int64_t bench_input_elements(const bench_cell* cell, int p);
int64_t bench_output_elements(const bench_cell* cell, int p);
void bench_fill(const bench_memory* memory, int64_t count);
/* Whether `rank` is one of those that have something. */
int bench_holds(bench_holder holder, int rank, int root);
int bench_has_input(const bench_cell* cell, const bench_memory* memory, int root);
/* Two calls with results looked at, from ranks 0 and 1. */
int bench_verify(const bench_cell* cell, const bench_memory* memory);

/* timing.c: microseconds of one call, the rewriting of the data taken off. */
double bench_time(const bench_cell* cell, const bench_memory* memory, int calls);

/* What a library does for the driver; the functions that return int return 0 when all is well. */
int library_start(int* me, int* p);
void library_finish(void);
void library_abort(void);
/* Of the calls that follow. */
void library_prepare(const bench_cell* cell, const bench_memory* memory);
int library_call(int op, int root);
/* A way to do an operation other than the library's own choice: the plan of that name. Returns its
 * number, or own_choice after a message if the library cannot do it that way. */
enum { own_choice = -1 };
int library_add_way(int op, const char* plan);
/* library_call() goes this way from now on; what the functions below need is always done by the
 * library's own choice. */
void library_take(int way);
void library_barrier(void);
double library_max(double mine);
double library_sum(double mine);
/* How the last call between library_watch(1) and library_watch(0) was done, as members of a JSON
 * object with a comma in front; empty if the library does not tell. */
void library_watch(int on);
const char* library_method(void);

#ifdef __cplusplus
}
#endif
#endif

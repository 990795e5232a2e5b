/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Plans: algorithms that a program names, or that tutti has chosen, with the schedules that they
 * execute. This file is a part of tutti.h, which includes it.
 */
#ifndef TUTTI_TUTTI_PLAN_H
#define TUTTI_TUTTI_PLAN_H

#include <tutti/tutti.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  TUTTI_OP_BARRIER = 0,
  TUTTI_OP_BROADCAST,
  TUTTI_OP_REDUCE,
  TUTTI_OP_ALLREDUCE,
  TUTTI_OP_SCATTER,
  TUTTI_OP_GATHER,
  TUTTI_OP_ALLGATHER,
  TUTTI_OP_REDUCE_SCATTER,
  TUTTI_OP_ALLTOALL,
  TUTTI_OP_SCAN,
  TUTTI_OP_EXSCAN
} tutti_operation;

/* Asks for one algorithm by name; with NULL, tutti chooses. `tutti info --algorithms` shows the
 * names, and which of the fields root to segments, factors and cut each algorithm uses. A name may
 * have settings, as every command prints it: "tree:branches=2", "hybrid:4cx16r.8c". The fields for
 * settings do not count then. The names "hybrid:short" and "hybrid:long" stand for the hybrid with
 * one factor for the rows and one for the columns of a mesh, both short or both long. "hybrid" with
 * no factors is the one that is the fastest for `bytes` in the model of the machine. */
typedef struct {
  size_t struct_size; /* sizeof(tutti_plan_request) */
  tutti_operation operation;
  const char* algorithm;
  int root;
  int branches; /* branches of the general tree; 0 means 1 */
  int rings;    /* rings of the multiring; 0 means 1 */
  int segments; /* segments of the pipelined algorithms; 0 means 1 */
  /* Bytes of the whole vector, equal on all ranks; tutti chooses by them if `algorithm` is NULL. */
  int64_t bytes;
  const int* factors; /* factors of the hybrids and the radix algorithms; copied */
  int factor_count;
  int cut;  /* hybrids: the first `cut` factors use long algorithms */
  int rows; /* hybrids: rows of the mesh that the ranks form, row by row; 0 means a line */
} tutti_plan_request;

/* Equal requests yield the same plan, which is kept with the group and freed with it. Nothing is
 * communicated. */
TUTTI_API tutti_status tutti_plan_get(tutti_group group, const tutti_plan_request* request,
                                      tutti_plan* plan);

/* Memory for the rank that has the winner of ABSMAX or ABSMIN: one group rank per element,
 * column-major with leading dimension ld. If several |x| are equal, the rank at the smallest
 * distance upwards from distance_root wins. */
typedef struct {
  int32_t* rank;
  int64_t ld;
  int distance_root;
} tutti_locations;

/* A predicate that a waiting call asks while it waits, at least every 50 ms. A result other than 0
 * ends the wait. It tells of something that other processes have done, and not that time has
 * passed: a wait without a time limit counts as one that only others can end. */
typedef int (*tutti_give_up_fn)(void* user);

typedef struct {
  size_t struct_size; /* sizeof(tutti_run) */
  const tutti_data* input;
  const tutti_data* output; /* in a broadcast: the data */
  tutti_op op;
  const tutti_locations* locations; /* NULL if the ranks are not wanted */
  /* In gather, scatter, allgather and reduce_scatter: elements of each rank, the same list on all
   * ranks; NULL if they are equal. Any algorithm may run, because every rank knows all counts. */
  const int64_t* counts;
  /* Asked by the waits of this run, with `user`; NULL if nobody is to be asked. A result other than
   * 0 ends tutti_plan_run with TUTTI_WOULD_WAIT. The group cannot be used any more then, and
   * messages of its members are never received; only groups of tutti_group_of_endpoints tolerate
   * that. */
  tutti_give_up_fn give_up;
  void* user;
} tutti_run;

TUTTI_API tutti_status tutti_plan_run(tutti_plan plan, const tutti_run* run);
/* tutti_plan_start starts the plan, as tutti_i<name> does. tutti_plan_init prepares it for
 * tutti_start, as tutti_<name>_init does. Neither allows locations or give_up. */
TUTTI_API tutti_status tutti_plan_start(tutti_plan plan, const tutti_run* run,
                                        tutti_request* request);
TUTTI_API tutti_status tutti_plan_init(tutti_plan plan, const tutti_run* run,
                                       tutti_request* request);
/* Writes this rank's Program as text in canonical form: what a run executes, round by round. It is
 * read back from the executed form: copies that need not be made are left out, the sends of a round
 * come first, and neighbouring blocks are one. Returns the length without the final 0 and writes at
 * most `size` bytes. */
TUTTI_API size_t tutti_plan_text(tutti_plan plan, char* text, size_t size);
TUTTI_API const char* tutti_plan_algorithm(tutti_plan plan);
/* Fills in the request for which the plan serves: operation, algorithm, root and settings; bytes
 * and rows are 0. The caller sets struct_size. The pointers are valid as long as the plan. */
TUTTI_API tutti_status tutti_plan_describe(tutti_plan plan, tutti_plan_request* request);
/* Writes the Programs of all ranks as JSON, a file of tutti-program(5). Returns the length without
 * the final 0 and writes at most `size` bytes. */
TUTTI_API size_t tutti_plan_json(tutti_plan plan, char* text, size_t size);

/* Called in this process after every collective, with the plan that was executed. */
typedef void (*tutti_run_hook)(void* user, tutti_group group, tutti_plan plan,
                               const tutti_plan_request* shape);
/* Sets the hook; NULL removes it. */
TUTTI_API void tutti_on_run(tutti_run_hook hook, void* user);

#ifdef __cplusplus
}
#endif
#endif

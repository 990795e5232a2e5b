/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Plans: algorithms that a program names, or that tutti has chosen, with what they execute. A part
 * of tutti.h, which includes this file.
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

/* Asks for one algorithm by name; NULL = tutti chooses. Names, and which of the fields root to
 * segments, factors and cut each of them heeds: `tutti info --algorithms`. */
typedef struct {
  size_t struct_size; /* sizeof(tutti_plan_request) */
  tutti_operation operation;
  const char* algorithm;
  int root;
  int branches;  /* of the general tree, 0 = 1 */
  int rings;     /* of the multiring, 0 = 1 */
  int segments;  /* of the pipelined algorithms, 0 = 1 */
  int64_t bytes; /* of the whole vector, equal on all ranks: what tutti chooses by when `algorithm`
                    is NULL */
  const int* factors; /* of the hybrids and the radix algorithms; copied */
  int factor_count;
  int cut; /* of the hybrids: the first `cut` factors use long algorithms */
} tutti_plan_request;

/* The same request yields the same plan (kept with the group, freed with it). Local: nothing is
 * communicated. */
TUTTI_API tutti_status tutti_plan_get(tutti_group group, const tutti_plan_request* request,
                                      tutti_plan* plan);

/* Where the winner of ABSMAX and ABSMIN sits: one group rank per element, column-major with leading
 * dimension ld. Equal |x|: the rank at the smallest distance upwards from distance_root wins. */
typedef struct {
  int32_t* rank;
  int64_t ld;
  int distance_root;
} tutti_locations;

typedef struct {
  size_t struct_size; /* sizeof(tutti_run) */
  const tutti_data* input;
  const tutti_data* output; /* broadcast: the data */
  tutti_op op;
  const tutti_locations* locations; /* or NULL */
} tutti_run;

TUTTI_API tutti_status tutti_plan_run(tutti_plan plan, const tutti_run* run);
/* As tutti_i<name> and tutti_<name>_init do it: starts the plan, or prepares it for tutti_start,
 * again and again. Not with locations. */
TUTTI_API tutti_status tutti_plan_start(tutti_plan plan, const tutti_run* run,
                                        tutti_request* request);
TUTTI_API tutti_status tutti_plan_init(tutti_plan plan, const tutti_run* run,
                                       tutti_request* request);
/* This rank's Program, as text in canonical form: what a run executes, round by round. It is read
 * back from the executed form: copies that need not be made are left out, the sends of a round come
 * first, neighbouring blocks are one. Returns the length without the final 0 and writes at most
 * `size` bytes. */
TUTTI_API size_t tutti_plan_text(tutti_plan plan, char* text, size_t size);
TUTTI_API const char* tutti_plan_algorithm(tutti_plan plan);

/* Called in this process after every collective with the plan that was executed. NULL = none. */
typedef void (*tutti_run_hook)(void* user, tutti_group group, tutti_plan plan,
                               const tutti_plan_request* shape);
TUTTI_API void tutti_on_run(tutti_run_hook hook, void* user);

#ifdef __cplusplus
}
#endif
#endif

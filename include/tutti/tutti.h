/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tutti: collective communication as schedules. This is the C interface for users.
 *
 * A call that fails prints what is wrong and ends the job. So a program need not look at the status
 * (0 = success) that functions return unless they say otherwise. After tutti_errors_return() a
 * failed call returns its status, and tutti_error_text() tells what was wrong.
 *
 * tutti is not thread-safe: only one thread of a process may be inside a call at a time. A call
 * from another thread meanwhile fails with TUTTI_WRONG_THREAD. Counts are 64-bit and count
 * elements, never bytes. All ranks of a group call a collective in the same order, with matching
 * arguments. Treat every collective as if it waited for all ranks.
 */
#ifndef TUTTI_TUTTI_H
#define TUTTI_TUTTI_H

#include <stddef.h>
#include <stdint.h>

#define TUTTI_VERSION_MAJOR 0
#define TUTTI_VERSION_MINOR 2
#define TUTTI_VERSION_PATCH 0

/* Programs of C89 include this header, too. In C89, inline is no keyword. */
#if defined(__GNUC__)
#define TUTTI_API __attribute__((visibility("default")))
#define TUTTI_INLINE static __inline__
#else
#define TUTTI_API
#define TUTTI_INLINE static inline
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef int tutti_status;
enum {
  TUTTI_OK = 0,
  TUTTI_INVALID_ARGUMENT = 1,
  TUTTI_NOT_INITIALIZED = 2,
  TUTTI_STALE_HANDLE = 3,
  TUTTI_NOT_A_MEMBER = 4,
  TUTTI_NO_SUCH_PLAN = 5,
  TUTTI_MISMATCH = 6,
  TUTTI_OUT_OF_MEMORY = 7,
  TUTTI_NO_SLOT = 8,
  TUTTI_JOB_ENDED = 9,
  TUTTI_PEER_LEFT = 10,
  TUTTI_SYSTEM_ERROR = 11,
  TUTTI_BAD_ENVIRONMENT = 12,
  TUTTI_TRUNCATED = 13,
  TUTTI_WOULD_WAIT = 14,
  TUTTI_WRONG_THREAD = 15,
  TUTTI_OPERATOR_FAILED = 16
};

/* Opaque handles: an index and a generation, so that a handle that was freed is recognised. The id
 * 0 names no object. */
typedef struct {
  uint64_t id;
} tutti_group;
typedef struct {
  uint64_t id;
} tutti_plan;
typedef struct {
  uint64_t id;
} tutti_op;
typedef struct {
  uint64_t id;
} tutti_request;

/* ---- life ---- */

/* Joins the job of the launcher (tutti run), or becomes a group of one if the program was started
 * by hand. A second call does nothing. */
TUTTI_API tutti_status tutti_init(void);
/* Leaves the job. Gives TUTTI_MISMATCH if a message of a collective was never taken, because the
 * ranks did not make the same calls or named different roots. A second call then leaves the job. */
TUTTI_API tutti_status tutti_finalize(void);
TUTTI_API int tutti_initialized(void);
/* Returns 1 if tutti_init joins, or has joined, a job that a launcher has started; 0 if it makes
 * this process a job of one. Before tutti_init the environment tells, and nothing is joined. */
TUTTI_API int tutti_would_join(void);
/* Ends every process of the job. The first abort gives the exit code and the text of the report. */
TUTTI_API void tutti_abort(int code, const char* text);
TUTTI_API const char* tutti_strerror(tutti_status status);
TUTTI_API const char* tutti_error_text(void);
TUTTI_API const char* tutti_version(void);

/* ---- errors ---- */

/* From now on, a failed call of this process returns its status, as if TUTTI_ERRORS=return were
 * set. May be called before tutti_init. A failed tutti_init is printed all the same. */
TUTTI_API void tutti_errors_return(void);
/* From now on, a failed call prints what is wrong and ends the job. This is the default. Two
 * statuses are answers, not errors, and are always returned: TUTTI_WOULD_WAIT, and TUTTI_PEER_LEFT
 * in a job that tolerates deaths (TUTTI_DEATHS). */
TUTTI_API void tutti_errors_end(void);
/* These calls are for libraries that call tutti on behalf of a program and handle errors in their
 * own way, as tutti.hpp and the Fortran module do. Until the matching tutti_errors_pop(), failed
 * calls return their status whatever the program has chosen. Pairs of these calls may be nested. */
TUTTI_API void tutti_errors_push_return(void);
TUTTI_API void tutti_errors_pop(void);

/* ---- groups ---- */

TUTTI_API tutti_group tutti_world(void);
/* tutti_rank and tutti_size return -1 for the handle 0, which is no group. The handle of a freed
 * group is an error, and so is a call before tutti_init or after tutti_finalize; if errors are
 * returned, the result is -1. */
TUTTI_API int tutti_rank(tutti_group group);
TUTTI_API int tutti_size(tutti_group group);
/* Makes a group of the ordered list of `count` ranks of `parent`. Only its members call it, each
 * equally often for the same list. Nothing is communicated. */
TUTTI_API tutti_status tutti_group_create(tutti_group parent, int count, const int* ranks,
                                          tutti_group* group);
/* Makes a group of the ranks that give the same color, ordered by key, and by rank where keys are
 * equal. All ranks of `parent` call it. A rank with a negative color gets no group: *group gets id
 * 0. */
TUTTI_API tutti_status tutti_group_split(tutti_group parent, int color, int key,
                                         tutti_group* group);
/* Makes another group of the same ranks. Operations of the two groups never meet. */
TUTTI_API tutti_status tutti_group_dup(tutti_group parent, tutti_group* group);
/* Makes groups of the row and of the column of this rank in a mesh of rows x columns =
 * tutti_size(parent) ranks, numbered row by row. `row` or `column` may be NULL, on all ranks alike.
 */
TUTTI_API tutti_status tutti_group_mesh(tutti_group parent, int rows, int columns, tutti_group* row,
                                        tutti_group* column);
/* Writes the rank in `other` of each rank of `group` into ranks[0..tutti_size(group)-1]; -1 for one
 * that is not in `other`. With other = tutti_world() these are the members. */
TUTTI_API tutti_status tutti_group_members(tutti_group group, tutti_group other, int* ranks);
/* Frees a group. No requests of the group may exist. */
TUTTI_API tutti_status tutti_group_free(tutti_group group);

/* ---- data ---- */

typedef enum {
  TUTTI_BYTE = 0,
  TUTTI_INT32,
  TUTTI_INT64,
  TUTTI_FLOAT,
  TUTTI_DOUBLE,
  TUTTI_COMPLEX_FLOAT,
  TUTTI_COMPLEX_DOUBLE,
  TUTTI_BOOL,
  TUTTI_INT8,
  TUTTI_UINT8,
  TUTTI_INT16,
  TUTTI_UINT16,
  TUTTI_UINT32,
  TUTTI_UINT64,
  TUTTI_FLOAT16,
  TUTTI_BFLOAT16
} tutti_type;
/* Names for languages that have no macros: "byte", "int32", ..., "bfloat16". tutti_type_named
 * returns -1 for a text that is no name; the others return NULL and 0 for a number that is no type.
 */
TUTTI_API int tutti_type_named(const char* name);
TUTTI_API const char* tutti_type_name(tutti_type type);
TUTTI_API int64_t tutti_type_bytes(tutti_type type);

typedef enum { TUTTI_CONTIGUOUS = 0, TUTTI_MATRIX, TUTTI_TRAPEZOID } tutti_shape;

/* TUTTI_BYTE is for data that are moved, and for operators on bits. A TUTTI_BOOL is a byte, of
 * which every value but 0 is true. TUTTI_FLOAT16 is IEEE 754's binary16, TUTTI_BFLOAT16 the upper
 * half of a float; both are combined as float, and each result is rounded.
 *
 * Describes elements in memory, numbered column by column. CONTIGUOUS: m elements. MATRIX: m x n
 * elements, whose columns are ld >= m elements apart. TRAPEZOID: the part of that matrix on and
 * above (uplo 'U') or on and below ('L') the diagonal of the BLACS' TR routines; diag 'U' leaves
 * the diagonal out. */
typedef struct {
  void* address;
  tutti_type type;
  tutti_shape shape;
  int64_t m, n, ld;
  char uplo, diag;
} tutti_data;

TUTTI_INLINE tutti_data tutti_matrix(void* address, int64_t m, int64_t n, int64_t ld,
                                     tutti_type type) {
  tutti_data data;
  data.address = address;
  data.type = type;
  data.shape = TUTTI_MATRIX;
  data.m = m;
  data.n = n;
  data.ld = ld;
  data.uplo = 'U';
  data.diag = 'N';
  return data;
}
TUTTI_INLINE tutti_data tutti_array(void* address, int64_t count, tutti_type type) {
  tutti_data data = tutti_matrix(address, count, 1, count, type);
  data.shape = TUTTI_CONTIGUOUS;
  return data;
}

/* ---- operators ---- */

#define TUTTI_SUM ((tutti_op){1})
#define TUTTI_PRODUCT ((tutti_op){2})
#define TUTTI_MAX ((tutti_op){3})
#define TUTTI_MIN ((tutti_op){4})
#define TUTTI_ABSMAX ((tutti_op){5}) /* by |x|, complex |re|+|im|; the signed value is kept */
#define TUTTI_ABSMIN ((tutti_op){6})
#define TUTTI_LOGICAL_AND ((tutti_op){7})
#define TUTTI_LOGICAL_OR ((tutti_op){8})
#define TUTTI_LOGICAL_XOR ((tutti_op){9})
#define TUTTI_BIT_AND ((tutti_op){10})
#define TUTTI_BIT_OR ((tutti_op){11})
#define TUTTI_BIT_XOR ((tutti_op){12})

/* The names are "sum", "product", ..., "bit_xor". tutti_op_named returns the id 0 for a text that
 * is no name, and tutti_op_name returns NULL for an operator of the program. */
TUTTI_API tutti_op tutti_op_named(const char* name);
TUTTI_API const char* tutti_op_name(tutti_op op);

/* Computes result[i] = left[i] op right[i] for i in [0, count). `result` may be the same array as
 * `left` or as `right`. */
typedef void (*tutti_combine_fn)(void* result, const void* left, const void* right, int64_t count,
                                 void* user);
/* Makes an associative operator on elements of `type`. With commutative = 0, operands keep the
 * order of the ranks. */
TUTTI_API tutti_status tutti_op_create(tutti_type type, tutti_combine_fn combine, int commutative,
                                       void* user, tutti_op* op);
/* The function returns 0, or a number of its own if it has failed. It is then not called again in
 * that call of a collective, which ends on all ranks with TUTTI_OPERATOR_FAILED, and whose output
 * is worthless. The group can be used further. Each such call costs one more allreduce of 8 bytes.
 */
typedef int (*tutti_fallible_fn)(void* result, const void* left, const void* right, int64_t count,
                                 void* user);
/* How a fallible operator may be used. With TUTTI_WHOLE_VECTORS the function is always called with
 * all elements of an operand, so only algorithms serve that do not cut the vector. */
enum { TUTTI_COMMUTATIVE = 1, TUTTI_WHOLE_VECTORS = 2 };
TUTTI_API tutti_status tutti_op_create_fallible(tutti_type type, tutti_fallible_fn combine, int how,
                                                void* user, tutti_op* op);
/* Not while a started call uses the operator. */
TUTTI_API tutti_status tutti_op_free(tutti_op op);

/* ---- collectives ---- */

/* A collective works in place if input and output name the same memory. If one of them is a rank's
 * own part of the other, it must lie at its place in the whole. Otherwise input and output must not
 * overlap. A rank may pass NULL for the one that it does not use. */
TUTTI_API tutti_status tutti_barrier(tutti_group group);
/* Copies the data of `root` to all ranks. */
TUTTI_API tutti_status tutti_bcast(tutti_group group, const tutti_data* data, int root);
/* Only the root uses `output`. */
TUTTI_API tutti_status tutti_reduce(tutti_group group, const tutti_data* input,
                                    const tutti_data* output, tutti_op op, int root);
TUTTI_API tutti_status tutti_allreduce(tutti_group group, const tutti_data* input,
                                       const tutti_data* output, tutti_op op);
/* The output of the root gets the inputs of all ranks in rank order. In gather all ranks give
 * equally many elements; in gatherv, rank r gives counts[r] elements. Only the root uses output and
 * counts. */
TUTTI_API tutti_status tutti_gather(tutti_group group, const tutti_data* input,
                                    const tutti_data* output, int root);
TUTTI_API tutti_status tutti_gatherv(tutti_group group, const tutti_data* input,
                                     const tutti_data* output, const int64_t* counts, int root);
/* The root's input is divided among the ranks in rank order, as the reverse of gather. Only the
 * root uses input and counts. */
TUTTI_API tutti_status tutti_scatter(tutti_group group, const tutti_data* input,
                                     const tutti_data* output, int root);
TUTTI_API tutti_status tutti_scatterv(tutti_group group, const tutti_data* input,
                                      const tutti_data* output, const int64_t* counts, int root);
/* All ranks get the inputs of all ranks in rank order. In allgatherv, rank r gives counts[r]
 * elements, and all ranks give the same counts. */
TUTTI_API tutti_status tutti_allgather(tutti_group group, const tutti_data* input,
                                       const tutti_data* output);
TUTTI_API tutti_status tutti_allgatherv(tutti_group group, const tutti_data* input,
                                        const tutti_data* output, const int64_t* counts);
/* The inputs are combined, and the result is divided in rank order. Each rank gets as many elements
 * as its output has; in reduce_scatterv, rank r gets counts[r], and all ranks give the same counts.
 */
TUTTI_API tutti_status tutti_reduce_scatter(tutti_group group, const tutti_data* input,
                                            const tutti_data* output, tutti_op op);
TUTTI_API tutti_status tutti_reduce_scatterv(tutti_group group, const tutti_data* input,
                                             const tutti_data* output, const int64_t* counts,
                                             tutti_op op);
/* Sends the r-th part of input to rank r; the r-th part of output comes from rank r. The parts are
 * equal; in alltoallv, each rank gives its own counts for both sides. In place, both sides have the
 * same counts. */
TUTTI_API tutti_status tutti_alltoall(tutti_group group, const tutti_data* input,
                                      const tutti_data* output);
TUTTI_API tutti_status tutti_alltoallv(tutti_group group, const tutti_data* input,
                                       const tutti_data* output, const int64_t* input_counts,
                                       const int64_t* output_counts);
/* Combines the inputs of ranks 0 to r for each rank r. exscan combines those of ranks 0 to r-1, and
 * rank 0 gets nothing. */
TUTTI_API tutti_status tutti_scan(tutti_group group, const tutti_data* input,
                                  const tutti_data* output, tutti_op op);
TUTTI_API tutti_status tutti_exscan(tutti_group group, const tutti_data* input,
                                    const tutti_data* output, tutti_op op);

/* ---- collectives without waiting ---- */

/* tutti_i<name> starts the operation and returns. tutti_<name>_init prepares one that tutti_start
 * can start again and again. Until the operation is done, its data belong to tutti; counts and
 * descriptions are copied. It makes progress whenever this process is inside a call that waits, and
 * in tutti_test. All ranks call a collective in the same way: blocking, or one of these two.
 * Operations of a group are matched in the order in which they are started. */
TUTTI_API tutti_status tutti_ibarrier(tutti_group group, tutti_request* request);
TUTTI_API tutti_status tutti_ibcast(tutti_group group, const tutti_data* data, int root,
                                    tutti_request* request);
TUTTI_API tutti_status tutti_ireduce(tutti_group group, const tutti_data* input,
                                     const tutti_data* output, tutti_op op, int root,
                                     tutti_request* request);
TUTTI_API tutti_status tutti_iallreduce(tutti_group group, const tutti_data* input,
                                        const tutti_data* output, tutti_op op,
                                        tutti_request* request);
TUTTI_API tutti_status tutti_igather(tutti_group group, const tutti_data* input,
                                     const tutti_data* output, int root, tutti_request* request);
TUTTI_API tutti_status tutti_igatherv(tutti_group group, const tutti_data* input,
                                      const tutti_data* output, const int64_t* counts, int root,
                                      tutti_request* request);
TUTTI_API tutti_status tutti_iscatter(tutti_group group, const tutti_data* input,
                                      const tutti_data* output, int root, tutti_request* request);
TUTTI_API tutti_status tutti_iscatterv(tutti_group group, const tutti_data* input,
                                       const tutti_data* output, const int64_t* counts, int root,
                                       tutti_request* request);
TUTTI_API tutti_status tutti_iallgather(tutti_group group, const tutti_data* input,
                                        const tutti_data* output, tutti_request* request);
TUTTI_API tutti_status tutti_iallgatherv(tutti_group group, const tutti_data* input,
                                         const tutti_data* output, const int64_t* counts,
                                         tutti_request* request);
TUTTI_API tutti_status tutti_ireduce_scatter(tutti_group group, const tutti_data* input,
                                             const tutti_data* output, tutti_op op,
                                             tutti_request* request);
TUTTI_API tutti_status tutti_ireduce_scatterv(tutti_group group, const tutti_data* input,
                                              const tutti_data* output, const int64_t* counts,
                                              tutti_op op, tutti_request* request);
TUTTI_API tutti_status tutti_ialltoall(tutti_group group, const tutti_data* input,
                                       const tutti_data* output, tutti_request* request);
TUTTI_API tutti_status tutti_ialltoallv(tutti_group group, const tutti_data* input,
                                        const tutti_data* output, const int64_t* input_counts,
                                        const int64_t* output_counts, tutti_request* request);
TUTTI_API tutti_status tutti_iscan(tutti_group group, const tutti_data* input,
                                   const tutti_data* output, tutti_op op, tutti_request* request);
TUTTI_API tutti_status tutti_iexscan(tutti_group group, const tutti_data* input,
                                     const tutti_data* output, tutti_op op, tutti_request* request);

TUTTI_API tutti_status tutti_barrier_init(tutti_group group, tutti_request* request);
TUTTI_API tutti_status tutti_bcast_init(tutti_group group, const tutti_data* data, int root,
                                        tutti_request* request);
TUTTI_API tutti_status tutti_reduce_init(tutti_group group, const tutti_data* input,
                                         const tutti_data* output, tutti_op op, int root,
                                         tutti_request* request);
TUTTI_API tutti_status tutti_allreduce_init(tutti_group group, const tutti_data* input,
                                            const tutti_data* output, tutti_op op,
                                            tutti_request* request);
TUTTI_API tutti_status tutti_gather_init(tutti_group group, const tutti_data* input,
                                         const tutti_data* output, int root,
                                         tutti_request* request);
TUTTI_API tutti_status tutti_gatherv_init(tutti_group group, const tutti_data* input,
                                          const tutti_data* output, const int64_t* counts, int root,
                                          tutti_request* request);
TUTTI_API tutti_status tutti_scatter_init(tutti_group group, const tutti_data* input,
                                          const tutti_data* output, int root,
                                          tutti_request* request);
TUTTI_API tutti_status tutti_scatterv_init(tutti_group group, const tutti_data* input,
                                           const tutti_data* output, const int64_t* counts,
                                           int root, tutti_request* request);
TUTTI_API tutti_status tutti_allgather_init(tutti_group group, const tutti_data* input,
                                            const tutti_data* output, tutti_request* request);
TUTTI_API tutti_status tutti_allgatherv_init(tutti_group group, const tutti_data* input,
                                             const tutti_data* output, const int64_t* counts,
                                             tutti_request* request);
TUTTI_API tutti_status tutti_reduce_scatter_init(tutti_group group, const tutti_data* input,
                                                 const tutti_data* output, tutti_op op,
                                                 tutti_request* request);
TUTTI_API tutti_status tutti_reduce_scatterv_init(tutti_group group, const tutti_data* input,
                                                  const tutti_data* output, const int64_t* counts,
                                                  tutti_op op, tutti_request* request);
TUTTI_API tutti_status tutti_alltoall_init(tutti_group group, const tutti_data* input,
                                           const tutti_data* output, tutti_request* request);
TUTTI_API tutti_status tutti_alltoallv_init(tutti_group group, const tutti_data* input,
                                            const tutti_data* output, const int64_t* input_counts,
                                            const int64_t* output_counts, tutti_request* request);
TUTTI_API tutti_status tutti_scan_init(tutti_group group, const tutti_data* input,
                                       const tutti_data* output, tutti_op op,
                                       tutti_request* request);
TUTTI_API tutti_status tutti_exscan_init(tutti_group group, const tutti_data* input,
                                         const tutti_data* output, tutti_op op,
                                         tutti_request* request);

#ifdef __cplusplus
}
#endif

#include <tutti/tutti_message.h> /* a part of this header */
#include <tutti/tutti_plan.h>    /* a part of this header */

#endif

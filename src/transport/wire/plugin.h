/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The wire: a table of C functions with all that the core needs of an MPI. One library per MPI
 * offers the table and is the only place that includes mpi.h. The core loads the library when a job
 * needs it and never sees an MPI type. The same table serves the tasks of a PVM, which come and go;
 * their world is called open.
 */
#ifndef TUTTI_TRANSPORT_WIRE_PLUGIN_H
#define TUTTI_TRANSPORT_WIRE_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TUTTI_WIRE_VERSION 6
#define TUTTI_WIRE_ENTRY "tutti_wire_table"

/* The bits of a request or a matched message of the MPI, whatever type it has there. */
typedef uint64_t tutti_wire_token;

/* State of MPI that can be asked before MPI is initialised. */
typedef struct {
  int begun, ended;        /* MPI_Init was called; MPI_Finalize was called */
  int version, subversion; /* version of the MPI standard */
  int threads;     /* level that MPI has granted, 0 (single) to 3 (multiple), if it has begun */
  int main_thread; /* this thread is the one that initialised MPI */
} tutti_wire_state;

/* The place of this process in its job. A job is all that MPI has started: the ranks of the world,
 * in order, and the spare processes, which are a world of their own here. */
typedef struct {
  int rank, size; /* rank in, and size of, the world */
  int host;       /* lowest rank of the world that shares memory with this one, as MPI sees it */
  int job_rank, job_size; /* rank in, and size of, the job */
  int machine;            /* lowest rank of the job that shares memory with this one */
  /* NULL if the processes have the numbers 0 to size-1 and there are no others. Otherwise the world
   * is open: `numbers` has the numbers of the processes that were started together, by rank, and
   * `rank` is the number of this one. Others may come and go at any time, and every process has
   * memory of its own. */
  const int* numbers;
} tutti_wire_world;

/* The operation of a native collective. This enumeration and the next two have the values of those
 * in the core. */
typedef enum {
  TUTTI_WIRE_BARRIER,
  TUTTI_WIRE_BROADCAST,
  TUTTI_WIRE_REDUCE,
  TUTTI_WIRE_ALLREDUCE,
  TUTTI_WIRE_SCATTER,
  TUTTI_WIRE_GATHER,
  TUTTI_WIRE_ALLGATHER,
  TUTTI_WIRE_REDUCE_SCATTER,
  TUTTI_WIRE_ALLTOALL,
  TUTTI_WIRE_SCAN,
  TUTTI_WIRE_EXSCAN
} tutti_wire_operation;
typedef enum {
  TUTTI_WIRE_BYTE,
  TUTTI_WIRE_INT32,
  TUTTI_WIRE_INT64,
  TUTTI_WIRE_FLOAT32,
  TUTTI_WIRE_FLOAT64,
  TUTTI_WIRE_COMPLEX64,
  TUTTI_WIRE_COMPLEX128,
  TUTTI_WIRE_BOOL, /* for logical operators only */
  TUTTI_WIRE_INT8,
  TUTTI_WIRE_UINT8,
  TUTTI_WIRE_INT16,
  TUTTI_WIRE_UINT16,
  TUTTI_WIRE_UINT32,
  TUTTI_WIRE_UINT64
} tutti_wire_type;
typedef enum {
  TUTTI_WIRE_SUM,
  TUTTI_WIRE_PRODUCT,
  TUTTI_WIRE_MAX,
  TUTTI_WIRE_MIN,
  TUTTI_WIRE_NO_ABSMAX, /* MPI has no such operator */
  TUTTI_WIRE_NO_ABSMIN,
  TUTTI_WIRE_LOGICAL_AND,
  TUTTI_WIRE_LOGICAL_OR,
  TUTTI_WIRE_LOGICAL_XOR,
  TUTTI_WIRE_BIT_AND,
  TUTTI_WIRE_BIT_OR,
  TUTTI_WIRE_BIT_XOR
} tutti_wire_operator;
/* The arguments of a native collective over the ranks of `group`, which make_group has made, or
 * over all ranks if it is 0. */
typedef struct {
  tutti_wire_token group;
  tutti_wire_operation operation;
  tutti_wire_type type;
  tutti_wire_operator op; /* used by reductions and scans */
  int root;
  int count;    /* number of elements; of each part, where a vector is cut by rank */
  int in_place; /* 1 at a root of reduce, gather or scatter whose own part is in place */
  const void* input;
  void* output; /* for a broadcast also the data that the root sends */
} tutti_wire_collective;

/* The table. Functions return 0, or an error code that text() explains. Only the thread that called
 * open() calls them. In an open world look, broadcast, gather, make_group, free_group,
 * start, poke and before_finalize are NULL; in any other world watch, ended and sleep are. */
typedef struct {
  int version;         /* TUTTI_WIRE_VERSION */
  const char* flavour; /* "openmpi", "mpich", "pvmd" */
  void (*look)(tutti_wire_state* state);
  /* Initialises MPI unless that was done, and makes communicators of tutti's own. Collective over
   * MPI_COMM_WORLD; spare = 1 if this process is not a member of the world. */
  int (*open)(int spare, tutti_wire_world* world);
  /* Used at the start of a job. Both are collective over all ranks of the world. With of_job = 1,
   * gather is collective over the job. */
  int (*broadcast)(void* data, int bytes, int root);
  int (*gather)(const void* mine, void* all, int bytes, int of_job);

  int (*send)(const void* data, int64_t bytes, int to, int tag, tutti_wire_token* request);
  int (*receive)(void* data, int64_t bytes, int from, int tag, tutti_wire_token* request);
  /* Matches the oldest message of that tag and sets *found to 1, or to 0 if there is none. The
   * caller must receive the matched message by receive_found(). */
  int (*find)(int tag, int* found, int* from, int64_t* bytes, tutti_wire_token* message);
  int (*receive_found)(void* data, int64_t bytes, tutti_wire_token* message,
                       tutti_wire_token* request);
  /* Makes a group of ranks in this order for native collectives. Collective over these ranks. */
  int (*make_group)(int count, const int* ranks, tutti_wire_token* group);
  int (*free_group)(tutti_wire_token group);
  /* Starts a native collective. All ranks of a group start theirs in the same order. */
  int (*start)(const tutti_wire_collective* what, tutti_wire_token* request);
  int (*test)(tutti_wire_token* request, int* done);
  /* Lets MPI advance all that it has in flight, including what the program has started. */
  int (*poke)(void);

  /* Asks to be told of the end of that process. */
  int (*watch)(int number);
  /* Sets *number to a watched process that has ended, once for each, or to -1 when there is none
   * now. The next find() finds what the process had sent. */
  int (*ended)(int* number);
  /* Sleeps until something may have come, at most so long. */
  int (*sleep)(int64_t nanoseconds);

  /* Makes MPI call function(user) at the start of MPI_Finalize. */
  int (*before_finalize)(void (*function)(void* user), void* user);
  /* Frees the communicators, and finalises MPI if `finalize` is 1. */
  int (*close)(int finalize);
  void (*abort)(int code);
  void (*text)(int code, char* text, size_t space);
} tutti_wire;

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the core needs of an MPI, as a table of C functions. One library per MPI offers it, and is
 * the only place that includes mpi.h; the core loads the library when a job needs it and never sees
 * an MPI type. The same table joins the tasks of a PVM, who come and go: an open world.
 */
#ifndef TUTTI_TRANSPORT_WIRE_PLUGIN_H
#define TUTTI_TRANSPORT_WIRE_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TUTTI_WIRE_VERSION 3
#define TUTTI_WIRE_ENTRY "tutti_wire_table"

/* A request or a matched message of MPI, whatever it is there. */
typedef uint64_t tutti_wire_token;

/* What can be asked before MPI is initialised. */
typedef struct {
  int begun, ended;        /* MPI_Init was called; MPI_Finalize, too */
  int version, subversion; /* of the MPI standard */
  int threads;     /* level that MPI has granted, 0 (single) to 3 (multiple), if it has begun */
  int main_thread; /* this thread is the one that initialised MPI */
} tutti_wire_state;

/* A job is all that MPI has started: the ranks of the world, in their order, and the spare ones,
 * which are a world of their own here. */
typedef struct {
  int rank, size; /* in the world */
  int host;       /* lowest rank of the world that shares memory with this one, as MPI sees it */
  int job_rank, job_size; /* in the job */
  int machine;            /* lowest rank of the job that shares memory with this one */
  /* NULL: the processes have the numbers 0 to size-1, and there are no others. Else the world is
   * open: these are the numbers of those that were started together, by rank, `rank` is this one's
   * number, and others may come and go at any time. Every process then has memory of its own. */
  const int* numbers;
} tutti_wire_world;

/* A collective of the MPI's own, over all ranks. The enumerations count as those of the core do. */
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
  TUTTI_WIRE_COMPLEX128
} tutti_wire_type;
typedef enum {
  TUTTI_WIRE_SUM,
  TUTTI_WIRE_PRODUCT,
  TUTTI_WIRE_MAX,
  TUTTI_WIRE_MIN,
  TUTTI_WIRE_NO_ABSMAX, /* MPI has none */
  TUTTI_WIRE_NO_ABSMIN,
  TUTTI_WIRE_LOGICAL_AND,
  TUTTI_WIRE_LOGICAL_OR,
  TUTTI_WIRE_LOGICAL_XOR,
  TUTTI_WIRE_BIT_AND,
  TUTTI_WIRE_BIT_OR,
  TUTTI_WIRE_BIT_XOR
} tutti_wire_operator;
typedef struct {
  tutti_wire_operation operation;
  tutti_wire_type type;
  tutti_wire_operator op; /* where operands are combined */
  int root;
  int count;    /* elements; where a vector is cut by rank, of each part */
  int in_place; /* at the root of reduce, gather and scatter: its own part lies where it belongs */
  const void* input;
  void* output; /* of a broadcast: the data */
} tutti_wire_collective;

/* Functions return 0, or an error code that text() explains. Only the thread that called open()
 * calls them. NULL where the world is open: look, broadcast, gather_all, gather_job, start, poke
 * and before_finalize; where it is not: watch, ended and sleep. */
typedef struct {
  int version;         /* TUTTI_WIRE_VERSION */
  const char* flavour; /* "openmpi", "mpich", "pvmd" */
  void (*look)(tutti_wire_state* state);
  /* Initialises MPI unless that was done, and makes communicators of tutti's own. Collective over
   * MPI_COMM_WORLD; spare = 1 where this process is no member of the world. */
  int (*open)(int spare, tutti_wire_world* world);
  /* Collective over all ranks of the world, the last over the job; for the start. */
  int (*broadcast)(void* data, int bytes, int root);
  int (*gather_all)(const void* mine, void* all, int bytes);
  int (*gather_job)(const void* mine, void* all, int bytes);

  int (*send)(const void* data, int64_t bytes, int to, int tag, tutti_wire_token* request);
  int (*receive)(void* data, int64_t bytes, int from, int tag, tutti_wire_token* request);
  /* *found = 1 and the oldest message of that tag is matched: it must be received by receive_found.
   */
  int (*find)(int tag, int* found, int* from, int64_t* bytes, tutti_wire_token* message);
  int (*receive_found)(void* data, int64_t bytes, tutti_wire_token* message,
                       tutti_wire_token* request);
  /* All ranks start their collectives in the same order. */
  int (*start)(const tutti_wire_collective* what, tutti_wire_token* request);
  int (*test)(tutti_wire_token* request, int* done);
  /* Lets MPI attend to whatever it has under way, also what the program has started. */
  int (*poke)(void);

  /* From now on the end of that process is noticed. */
  int (*watch)(int number);
  /* A watched process that has ended, each told once; -1 when there is none now. What it had sent
   * is found by the next find(). */
  int (*ended)(int* number);
  /* Until something may have come, at most so long. */
  int (*sleep)(int64_t nanoseconds);

  /* function(user) is called at the start of MPI_Finalize. */
  int (*before_finalize)(void (*function)(void* user), void* user);
  /* Gives the communicators back; finalises MPI too if asked. */
  int (*close)(int finalize);
  void (*abort)(int code);
  void (*text)(int code, char* text, size_t space);
} tutti_wire;

#ifdef __cplusplus
}
#endif
#endif

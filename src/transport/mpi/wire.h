/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the core needs of an MPI, as a table of C functions. One library per MPI offers it, and is the only place that
 * includes mpi.h; the core loads the library when a job needs it and never sees an MPI type.
 */
#ifndef TUTTI_TRANSPORT_MPI_WIRE_H
#define TUTTI_TRANSPORT_MPI_WIRE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TUTTI_WIRE_VERSION 1
#define TUTTI_WIRE_ENTRY "tutti_wire_table"

/* A request or a matched message of MPI, whatever it is there. */
typedef uint64_t tutti_wire_token;

typedef struct {
  int rank, size;
  int host;       /* lowest rank that shares memory with this one, as MPI sees it */
  int began_here; /* MPI was initialised by open() */
} tutti_wire_world;

/* Functions return 0, or an error code that text() explains. Only the thread that called open() calls them. */
typedef struct {
  int version;         /* TUTTI_WIRE_VERSION */
  const char* flavour; /* "openmpi", "mpich" */
  /* Initialises MPI unless that was done, and makes a communicator of tutti's own. Collective over MPI_COMM_WORLD. A
   * refusal is explained in `problem`. */
  int (*open)(tutti_wire_world* world, char* problem, size_t space);
  /* Collective over all ranks; for the start. */
  int (*broadcast)(void* data, int bytes, int root);
  int (*gather_all)(const void* mine, void* all, int bytes);

  int (*send)(const void* data, int64_t bytes, int to, int tag, tutti_wire_token* request);
  int (*receive)(void* data, int64_t bytes, int from, int tag, tutti_wire_token* request);
  /* *found = 1 and the oldest message of that tag is matched: it must be received by receive_found. */
  int (*find)(int tag, int* found, int* from, int64_t* bytes, tutti_wire_token* message);
  int (*receive_found)(void* data, int64_t bytes, tutti_wire_token* message, tutti_wire_token* request);
  int (*test)(tutti_wire_token* request, int* done);
  /* Lets MPI attend to whatever it has under way, also what the program has started. */
  int (*poke)(void);

  /* 0 before MPI_Init and from MPI_Finalize on. */
  int (*alive)(void);
  /* function(user) is called at the start of MPI_Finalize. */
  int (*before_finalize)(void (*function)(void* user), void* user);
  /* Gives the communicator back; finalises MPI too if asked. */
  int (*close)(int finalize);
  void (*abort)(int code);
  void (*text)(int code, char* text, size_t space);
} tutti_wire;

#ifdef __cplusplus
}
#endif
#endif

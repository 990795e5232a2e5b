/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iCC of tutti (libtutti-icc): the collective communication library of the InterCom project for the
 * Intel Paragon, release 2. iCC_initialize comes first; the group interface (iCC_g_*) also needs
 * iCC_g_Group_init. All lengths are long.
 *
 * The old manual is lost. tutti_icc(7) says which names are seen in programs and papers, and which
 * are reconstructed.
 *
 * A wrong call of the simple interface ends all processes with one line and an exit code that is
 * not 0. Calls of the group interface return iCC_g_OK or an error code.
 */
#ifndef TUTTI_ICC_H
#define TUTTI_ICC_H

#include <tutti/tutti.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A function f(x, work). In old C its operands may be pointers of any type, and it may return a
 * number, which is not looked at: a function without a type returns int there. */
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ > 201710L)
typedef void (*iCC_g_Function)(void* x, void* work);
#elif defined(__GNUC__)
typedef union {
  void (*returns_nothing)();
  int (*returns_int)();
  long (*returns_long)();
} iCC_g_Function __attribute__((transparent_union));
#else
typedef void (*iCC_g_Function)();
#endif

/* ---- the simple interface: all nodes call it, with the same lengths and the same root ---- */

/* Joins the job. A second call does nothing. */
TUTTI_API void iCC_initialize(void);
/* Tells how many bytes of work space the longest call needs. The number is not used; the call joins
 * the job like iCC_initialize. */
TUTTI_API void iCC_work_init(unsigned long bytes);
/* Returns when all nodes have called it. */
TUTTI_API void iCC_gsync(void);

/* Broadcast: copies x of node `root` to x of all nodes. */
TUTTI_API void iCC_bcast(void* x, long bytes, long root);
/* Scatter: node r gets the r-th part of x of the root, xlens[r] bytes, in y. */
TUTTI_API void iCC_scatter(void* x, long* xlens, void* y, long root);
/* Gather, the reverse: y of the root gets x of all nodes, xlens[r] bytes of node r, in their order.
 */
TUTTI_API void iCC_gather(void* x, long* xlens, void* y, long root);
/* Collect: y of all nodes gets x of all nodes. In gcol a node knows only the length of its own x;
 * y has ylen bytes, and *ncnt gets how many of them were filled. */
TUTTI_API void iCC_gcolx(void* x, long* xlens, void* y);
TUTTI_API void iCC_gcol(void* x, long xlen, void* y, long ylen, long* ncnt);

/* Combine-to-all: x of all nodes gets the combination of all x, element by element. The contents of
 * work, which is as long as x, are destroyed. high is the maximum, low the minimum. */
TUTTI_API void iCC_gisum(long* x, long n, long* work);
TUTTI_API void iCC_gssum(float* x, long n, float* work);
TUTTI_API void iCC_gdsum(double* x, long n, double* work);
TUTTI_API void iCC_giprod(long* x, long n, long* work);
TUTTI_API void iCC_gsprod(float* x, long n, float* work);
TUTTI_API void iCC_gdprod(double* x, long n, double* work);
TUTTI_API void iCC_gihigh(long* x, long n, long* work);
TUTTI_API void iCC_gshigh(float* x, long n, float* work);
TUTTI_API void iCC_gdhigh(double* x, long n, double* work);
TUTTI_API void iCC_gilow(long* x, long n, long* work);
TUTTI_API void iCC_gslow(float* x, long n, float* work);
TUTTI_API void iCC_gdlow(double* x, long n, double* work);
/* Bit by bit, and by truth: 0 is false, and true results are 1. One node alone keeps its x. */
TUTTI_API void iCC_giand(long* x, long n, long* work);
TUTTI_API void iCC_gior(long* x, long n, long* work);
TUTTI_API void iCC_gixor(long* x, long n, long* work);
TUTTI_API void iCC_gland(long* x, long n, long* work);
TUTTI_API void iCC_glor(long* x, long n, long* work);
TUTTI_API void iCC_glxor(long* x, long n, long* work);
/* Combines by a function of the program: f(x, work) leaves x op work in x. It is always called with
 * whole vectors of xlen bytes, and operands keep the order of the nodes. */
TUTTI_API void iCC_gopf(void* x, long xlen, void* work, iCC_g_Function f);

/* Combine-to-one: x of the root gets the combination. What x has afterwards on other nodes is not
 * defined. */
TUTTI_API void iCC_gisum_one(long* x, long n, long* work, long root);
TUTTI_API void iCC_gssum_one(float* x, long n, float* work, long root);
TUTTI_API void iCC_gdsum_one(double* x, long n, double* work, long root);
TUTTI_API void iCC_giprod_one(long* x, long n, long* work, long root);
TUTTI_API void iCC_gsprod_one(float* x, long n, float* work, long root);
TUTTI_API void iCC_gdprod_one(double* x, long n, double* work, long root);
TUTTI_API void iCC_gihigh_one(long* x, long n, long* work, long root);
TUTTI_API void iCC_gshigh_one(float* x, long n, float* work, long root);
TUTTI_API void iCC_gdhigh_one(double* x, long n, double* work, long root);
TUTTI_API void iCC_gilow_one(long* x, long n, long* work, long root);
TUTTI_API void iCC_gslow_one(float* x, long n, float* work, long root);
TUTTI_API void iCC_gdlow_one(double* x, long n, double* work, long root);
/* Distributed combine: the combination of all x is divided; node r gets ns[r] elements in y. */
TUTTI_API void iCC_gisum_dist(long* x, long* ns, long* y);
TUTTI_API void iCC_gssum_dist(float* x, long* ns, float* y);
TUTTI_API void iCC_gdsum_dist(double* x, long* ns, double* y);
TUTTI_API void iCC_giprod_dist(long* x, long* ns, long* y);
TUTTI_API void iCC_gsprod_dist(float* x, long* ns, float* y);
TUTTI_API void iCC_gdprod_dist(double* x, long* ns, double* y);
TUTTI_API void iCC_gihigh_dist(long* x, long* ns, long* y);
TUTTI_API void iCC_gshigh_dist(float* x, long* ns, float* y);
TUTTI_API void iCC_gdhigh_dist(double* x, long* ns, double* y);
TUTTI_API void iCC_gilow_dist(long* x, long* ns, long* y);
TUTTI_API void iCC_gslow_dist(float* x, long* ns, float* y);
TUTTI_API void iCC_gdlow_dist(double* x, long* ns, double* y);

/* ---- the group interface ---- */

typedef struct iCC_g_comm {
  long source; /* the rank of this process */
} * iCC_g_Comm;
typedef struct iCC_g_group* iCC_g_Group;
typedef struct iCC_g_datatype {
  long size; /* bytes of an element */
} * iCC_g_Datatype;
typedef struct iCC_g_operator* iCC_g_Op;

enum {
  iCC_g_OK = 0,
  iCC_g_ERROR_NULL,              /* a buffer, list or result is NULL */
  iCC_g_ERROR_COMM_NULL,         /* no communicator, or one that was freed */
  iCC_g_ERROR_MEMBERSHIP,        /* the group has members that the communicator has not */
  iCC_g_ERROR_GROUP_NULL,        /* no group, or one that was freed */
  iCC_g_ERROR_GROUP_EMPTY,       /* a list without members */
  iCC_g_ERROR_OP_NULL,           /* no operator */
  iCC_g_ERROR_DATATYPE_NULL,     /* no data type */
  iCC_g_ERROR_DATATYPE_MISMATCH, /* the operator is not for this data type */
  iCC_g_ERROR_INTERCOMMUNICATOR, /* never returned, because there are none */
  iCC_g_ERROR_ROOT,              /* the root is no rank of the communicator */
  iCC_g_ERROR_MYPOS,             /* a list has a rank that is none, or one twice */
  iCC_g_ERROR_NO_INITIALIZATION, /* iCC_g_Group_init was not called */
  iCC_g_ERROR_MALLOC,            /* no memory */
  iCC_g_ERROR_UNEQUAL_COUNTS,    /* a count is negative, or differs from the other end's */
  iCC_g_ERROR_BLOCK_SIZE         /* a displacement is negative */
};

#define iCC_g_COMM_NULL ((iCC_g_Comm)0)
#define iCC_g_GROUP_NULL ((iCC_g_Group)0)
#define iCC_g_DATATYPE_NULL ((iCC_g_Datatype)0)
#define iCC_g_OP_NULL ((iCC_g_Op)0)

/* All processes, and this one alone; NULL before iCC_g_Group_init. */
TUTTI_API extern iCC_g_Comm iCC_g_COMM_WORLD, iCC_g_COMM_SELF;

TUTTI_API extern struct iCC_g_datatype iCC_g_datatypes[7];
#define iCC_g_byte_dtype (&iCC_g_datatypes[0])
#define iCC_g_char_dtype (&iCC_g_datatypes[1])
#define iCC_g_int_dtype (&iCC_g_datatypes[2])
#define iCC_g_long_dtype (&iCC_g_datatypes[3])
#define iCC_g_float_dtype (&iCC_g_datatypes[4])
#define iCC_g_double_dtype (&iCC_g_datatypes[5])
#define iCC_g_logical_dtype (&iCC_g_datatypes[6]) /* an int */
/* The classes of data that operators are for. Those for long are for int, too. */
#define iCC_g_LONG iCC_g_long_dtype
#define iCC_g_FLOAT iCC_g_float_dtype
#define iCC_g_DOUBLE iCC_g_double_dtype
#define iCC_g_LOGICAL iCC_g_logical_dtype

struct iCC_g_operator {
  int number;
};
TUTTI_API extern struct iCC_g_operator iCC_g_operators[16];
#define iCC_g_ISUM (&iCC_g_operators[0])
#define iCC_g_IPROD (&iCC_g_operators[1])
#define iCC_g_IMAX (&iCC_g_operators[2])
#define iCC_g_IMIN (&iCC_g_operators[3])
#define iCC_g_SSUM (&iCC_g_operators[4])
#define iCC_g_SPROD (&iCC_g_operators[5])
#define iCC_g_SMAX (&iCC_g_operators[6])
#define iCC_g_SMIN (&iCC_g_operators[7])
#define iCC_g_DSUM (&iCC_g_operators[8])
#define iCC_g_DPROD (&iCC_g_operators[9])
#define iCC_g_DMAX (&iCC_g_operators[10])
#define iCC_g_DMIN (&iCC_g_operators[11])
#define iCC_g_BAND (&iCC_g_operators[12])
#define iCC_g_BOR (&iCC_g_operators[13])
#define iCC_g_LAND (&iCC_g_operators[14])
#define iCC_g_LOR (&iCC_g_operators[15])

/* Comes before all other calls of the group interface. */
TUTTI_API long iCC_g_Group_init(void);
TUTTI_API long iCC_g_Comm_group(iCC_g_Comm comm, iCC_g_Group* group);
/* Makes a group of the listed ranks; the rank in the new group is the place in the list. */
TUTTI_API long iCC_g_Group_incl(iCC_g_Group group, long n, long* ranks, iCC_g_Group* newgroup);
TUTTI_API long iCC_g_Group_free(iCC_g_Group* group);
/* Makes a communicator of the group's members, which all call it. Other members of `comm` may call
 * it; they get iCC_g_COMM_NULL. Nothing is communicated. */
TUTTI_API long iCC_g_Comm_create(iCC_g_Comm comm, iCC_g_Group group, iCC_g_Comm* newcomm);
TUTTI_API long iCC_g_Comm_free(iCC_g_Comm* comm);

TUTTI_API long iCC_g_Barrier(iCC_g_Comm comm);
TUTTI_API long iCC_g_Bcast(void* buffer, long count, iCC_g_Datatype type, long root,
                           iCC_g_Comm comm);
TUTTI_API long iCC_g_Reduce(void* sbuf, void* rbuf, long count, iCC_g_Datatype type, iCC_g_Op op,
                            long root, iCC_g_Comm comm);
TUTTI_API long iCC_g_Allreduce(void* sbuf, void* rbuf, long count, iCC_g_Datatype type, iCC_g_Op op,
                               iCC_g_Comm comm);
TUTTI_API long iCC_g_Reduce_scatter(void* sbuf, void* rbuf, long* counts, iCC_g_Datatype type,
                                    iCC_g_Op op, iCC_g_Comm comm);
/* Counts and displacements are in elements. displs may be NULL: the parts lie one behind the other.
 * In Gatherv and Scatterv only the root uses the lists. */
TUTTI_API long iCC_g_Gatherv(void* sbuf, long scount, iCC_g_Datatype stype, void* rbuf,
                             long* rcounts, long* displs, iCC_g_Datatype rtype, long root,
                             iCC_g_Comm comm);
TUTTI_API long iCC_g_Scatterv(void* sbuf, long* scounts, long* displs, iCC_g_Datatype stype,
                              void* rbuf, long rcount, iCC_g_Datatype rtype, long root,
                              iCC_g_Comm comm);
TUTTI_API long iCC_g_Allgatherv(void* sbuf, long scount, iCC_g_Datatype stype, void* rbuf,
                                long* rcounts, long* displs, iCC_g_Datatype rtype, iCC_g_Comm comm);

#ifdef __cplusplus
}
#endif
#endif

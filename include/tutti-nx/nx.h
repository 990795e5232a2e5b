/* SPDX-License-Identifier: BSD-3-Clause
 *
 * NX of tutti (libtutti-nx): the message passing of Intel's iPSC, Delta and Paragon. It declares
 * only names of NX.
 *
 * Each call has two forms. One prints a line and ends all nodes if it fails. The other, with an
 * underscore in front of its name, returns -1 and sets errno; where the first returns nothing, it
 * returns 0.
 *
 * long has 64 bits here. The machines had 32, so a program that sends a long with the count 4 sends
 * half of it: it works while the receiver's variable was 0 before, and the number is not negative.
 * Programs whose arrays of integers are of int, which was the same there, are compiled with
 * -DTUTTI_NX_INT32: then gisum and its like combine int, and all other arrays of integers, and
 * integers that a call writes, are int, too.
 */
#ifndef TUTTI_NX_H
#define TUTTI_NX_H

#ifdef __cplusplus
extern "C" {
#endif

#define TUTTI_NX(result, name, parameters) \
  extern result name parameters;           \
  extern long _##name parameters
/* The calls to which the type of integers in memory makes a difference. */
#ifdef TUTTI_NX_INT32
typedef int tutti_nx_integer;
#define TUTTI_NX_INTEGERS(result, name, parameters)  \
  extern result name parameters __asm__(#name "_i"); \
  extern long _##name parameters __asm__("_" #name "_i")
#else
typedef long tutti_nx_integer;
#define TUTTI_NX_INTEGERS(result, name, parameters) TUTTI_NX(result, name, parameters)
#endif

/* ---- nodes ---- */

TUTTI_NX(long, mynode, (void));
TUTTI_NX(long, numnodes, (void));
/* The type of this process, 0 unless setptype has changed it. myptype is another name of mypid. */
TUTTI_NX(long, mypid, (void));
TUTTI_NX(long, myptype, (void));
/* The number of the node in the machine, which is that in the program. */
TUTTI_NX(long, myphysnode, (void));
/* The dimension of the largest hypercube that the nodes could fill. */
TUTTI_NX(long, nodedim, (void));
/* The number of the host. There is none, so it is the number after that of the last node. */
TUTTI_NX(long, myhost, (void));
/* setpid is another name of setptype. */
TUTTI_NX(void, setptype, (long ptype));
TUTTI_NX(void, setpid, (long ptype));

/* ---- clocks and numbers ---- */

/* Seconds, and milliseconds, since the process has started. They cannot fail, so the second forms
 * are like the first. */
extern double dclock(void);
extern double _dclock(void);
extern unsigned long mclock(void);
extern unsigned long _mclock(void);
/* The ticks of a clock since the process has started, HWHZ in a second. */
#define HWHZ 10000000
/* An offset of more than 32 bits, or a number of ticks: a structure there, a number here. */
typedef long esize_t;
TUTTI_NX(void, hwclock, (esize_t * ticks));
/* Lets other processes run. */
TUTTI_NX(void, flick, (void));
/* Switched a lamp on or off; does nothing. */
TUTTI_NX(void, led, (long state));
/* The Gray code of a number, and the number of a Gray code. */
TUTTI_NX(long, gray, (long n));
TUTTI_NX(long, ginv, (long n));
/* The rows and columns of the mesh that -sz 2x4 has asked for; one row if it has not. Returns 0. */
TUTTI_NX_INTEGERS(long, nx_app_rect, (tutti_nx_integer * rows, tutti_nx_integer* cols));
/* The DELTA's name of nx_app_rect. */
TUTTI_NX_INTEGERS(long, mypart, (tutti_nx_integer * rows, tutti_nx_integer* cols));
/* Makes a list of the numbers of all nodes, which free() gives back. */
typedef tutti_nx_integer* nx_nodes_t;
TUTTI_NX_INTEGERS(long, nx_app_nodes, (int pgroup, nx_nodes_t* list, unsigned long* size));

/* ---- messages that are waited for ---- */

/* Sends `count` bytes and returns when `buf` may be changed. The node -1 means all but this one. */
TUTTI_NX(void, csend, (long type, const void* buf, long count, long node, long ptype));
/* Waits for the first message whose type is selected, and copies it. Selectors: 0 or more that
 * type, -1 any, other negative numbers a mask of types. */
TUTTI_NX(void, crecv, (long typesel, void* buf, long count));
/* Selects the sending node and the type of its process, too (-1: any). `info` gets eight numbers:
 * type, length, node and type of the process, and four that mean nothing. */
TUTTI_NX_INTEGERS(void, crecvx,
                  (long typesel, void* buf, long count, long nodesel, long ptypesel,
                   tutti_nx_integer* info));
/* Sends a message, waits for another, and returns its length. */
TUTTI_NX(long, csendrecv,
         (long type, const void* sbuf, long scount, long node, long ptype, long typesel, void* rbuf,
          long rcount));
/* Sends a message to the `n` nodes of a list. */
TUTTI_NX_INTEGERS(void, gsendx,
                  (long type, const void* x, long xlen, const tutti_nx_integer* nodes, long n));

/* ---- messages that are started ---- */

/* They return an id. The buffers stay as they are until the message is over. */
TUTTI_NX(long, isend, (long type, const void* buf, long count, long node, long ptype));
TUTTI_NX(long, irecv, (long typesel, void* buf, long count));
TUTTI_NX_INTEGERS(long, irecvx,
                  (long typesel, void* buf, long count, long nodesel, long ptypesel,
                   tutti_nx_integer* info));
TUTTI_NX(long, isendrecv,
         (long type, const void* sbuf, long scount, long node, long ptype, long typesel, void* rbuf,
          long rcount));
TUTTI_NX(void, msgwait, (long id));
/* Returns 1 if the message is over, else 0. */
TUTTI_NX(long, msgdone, (long id));
TUTTI_NX(void, msgignore, (long id));
TUTTI_NX(void, msgcancel, (long id));
/* Makes one id of two. -1 stands for no message. */
TUTTI_NX(long, msgmerge, (long id1, long id2));

/* ---- messages with handlers ---- */

/* proc(type, count, node, ptype) is called once when the message is over: at the beginning of a
 * call of NX, or while a call waits. A handler is not interrupted by another. */
#ifdef __cplusplus
typedef void (*tutti_nx_handler)(long type, long count, long node, long ptype);
typedef void (*tutti_nx_extended_handler)(long hparam);
#else
/* Functions of old programs often have no type, which means int. What they return is ignored. */
#ifdef __GNUC__
typedef union {
  void (*returns_nothing)();
  int (*returns_int)();
  long (*returns_long)();
} tutti_nx_procedure __attribute__((transparent_union));
#else
typedef void (*tutti_nx_procedure)();
#endif
typedef tutti_nx_procedure tutti_nx_handler;
typedef tutti_nx_procedure tutti_nx_extended_handler;
#endif
TUTTI_NX(void, hsend,
         (long type, const void* buf, long count, long node, long ptype, tutti_nx_handler proc));
TUTTI_NX(void, hrecv, (long typesel, void* buf, long count, tutti_nx_handler proc));
/* The handler is that of the receive. */
TUTTI_NX(void, hsendrecv,
         (long type, const void* sbuf, long scount, long node, long ptype, long typesel, void* rbuf,
          long rcount, tutti_nx_handler proc));
/* xproc(hparam) is called instead. */
TUTTI_NX(void, hsendx,
         (long type, const void* buf, long count, long node, long ptype,
          tutti_nx_extended_handler xproc, long hparam));
TUTTI_NX(void, hrecvx,
         (long typesel, void* buf, long count, long nodesel, long ptypesel,
          tutti_nx_extended_handler xproc, long hparam));
/* With 1, handlers are held back until it is called with 0. Returns the state before. */
TUTTI_NX(long, masktrap, (long state));

/* ---- probes, and what is known of the last message ---- */

TUTTI_NX(void, cprobe, (long typesel));
TUTTI_NX_INTEGERS(void, cprobex,
                  (long typesel, long nodesel, long ptypesel, tutti_nx_integer* info));
/* Return 1 if there is such a message, else 0. */
TUTTI_NX(long, iprobe, (long typesel));
TUTTI_NX_INTEGERS(long, iprobex,
                  (long typesel, long nodesel, long ptypesel, tutti_nx_integer* info));
/* Discards the messages that have come and are selected. */
TUTTI_NX(void, flushmsg, (long typesel, long nodesel, long ptypesel));
/* Of the last message that was received, probed or found to be over, by a call without info. */
TUTTI_NX(long, infocount, (void));
TUTTI_NX(long, infonode, (void));
TUTTI_NX(long, infopid, (void));
TUTTI_NX(long, infoptype, (void));
TUTTI_NX(long, infotype, (void));
/* The numbers that these calls return. It may be given to a call as its `info`. */
#ifdef TUTTI_NX_INT32
extern int msginfo[8] __asm__("msginfo_i");
#else
extern long msginfo[8];
#endif

/* ---- the host, and partitions ---- */

/* Ended processes of a cube; does nothing. */
TUTTI_NX(void, killcube, (long node, long ptype));
/* These fail: there is no host, and the nodes exist already. */
TUTTI_NX(void, attachcube, (const char* name));
TUTTI_NX(void, getcube, (const char* name, const char* type, const char* host, long keep));
TUTTI_NX(void, relcube, (const char* name));
TUTTI_NX(void, load, (const char* file, long node, long ptype));
TUTTI_NX(void, killproc, (long node, long ptype));
TUTTI_NX(void, waitall, (long node, long ptype));
TUTTI_NX(void, waitone, (long node, long ptype, long* found_node, long* found_ptype, long* code));
TUTTI_NX(long, nx_initve,
         (const char* partition, long size, const char* account, int* argc, char** argv));
TUTTI_NX(long, nx_nfork, (const long* nodes, long n, long ptype, long* pids));
TUTTI_NX(long, nx_load, (const long* nodes, long n, long ptype, long* pids, const char* path));
TUTTI_NX(long, nx_loadve,
         (const long* nodes, long n, long ptype, long* pids, const char* path, char** argv,
          char** envp));
TUTTI_NX(long, nx_initve_rect,
         (const char* partition, long anchor, long rows, long cols, const char* account, int* argc,
          char** argv));
TUTTI_NX(long, nx_initve_attr, (const char* partition, int* argc, char** argv, ...));
TUTTI_NX(long, nx_waitall, (void));
/* Partitions belonged to the system of the machine. */
typedef struct tutti_nx_pspart nx_pspart_t;
TUTTI_NX(long, nx_mkpart, (const char* partition, long size, long type));
TUTTI_NX(long, nx_mkpart_rect, (const char* partition, long rows, long cols, long type));
TUTTI_NX(long, nx_mkpart_map, (const char* partition, long n, const long* nodes, long type));
TUTTI_NX(long, nx_mkpart_attr, (const char* partition, ...));
TUTTI_NX(long, nx_rmpart, (const char* partition, long force, long recursive));
TUTTI_NX(int, nx_pspart, (const char* partition, nx_pspart_t** list, unsigned long* size));
TUTTI_NX(long, nx_chpart_epl, (const char* partition, long priority));
TUTTI_NX(long, nx_chpart_mod, (const char* partition, long mode));
TUTTI_NX(long, nx_chpart_name, (const char* partition, const char* name));
TUTTI_NX(long, nx_chpart_owner, (const char* partition, long owner, long group));
TUTTI_NX(long, nx_chpart_rq, (const char* partition, long quantum));
TUTTI_NX(long, nx_chpart_sched, (const char* partition, long type));
/* Accepts a priority from 0 to 10, which means nothing here. Returns 0. */
TUTTI_NX(long, nx_pri, (long pgroup, long priority));
/* Prints the text, the node and what errno says. */
TUTTI_NX(void, nx_perror, (const char* text));

/* ---- files ---- */

/* Files have only the mode M_UNIX, in which each node has a position of its own; other modes fail.
 * The functions of the operating system work on them, too. */
#define M_UNIX 0
#define M_LOG 1
#define M_SYNC 2
#define M_RECORD 3
#define M_GLOBAL 4
#define M_ASYNC 5
/* Opens a file on all nodes as open() does, and returns when all have. */
TUTTI_NX(int, gopen, (const char* path, int oflag, int iomode, unsigned int perm));
TUTTI_NX(void, setiomode, (int fildes, int iomode));
TUTTI_NX(long, iomode, (int fildes));
/* Their forms with an underscore return how many bytes were read or written. Fewer are read at the
 * end of the file only. */
TUTTI_NX(void, cread, (int fildes, void* buffer, long nbytes));
TUTTI_NX(void, cwrite, (int fildes, const void* buffer, long nbytes));
/* They return an id that iowait uses up, or iodone when it returns 1. The file is read or written
 * before they return. */
TUTTI_NX(long, iread, (int fildes, void* buffer, long nbytes));
TUTTI_NX(long, iwrite, (int fildes, const void* buffer, long nbytes));
TUTTI_NX(void, iowait, (long id));
TUTTI_NX(long, iodone, (long id));
TUTTI_NX(esize_t, eseek, (int fildes, esize_t offset, int whence));
/* Makes a file as long as the offset says, unless it is longer, and returns its length. `whence` is
 * that of lseek(). */
#define SIZE_SET 0
#define SIZE_CUR 1
#define SIZE_END 2
TUTTI_NX(long, lsize, (int fildes, long offset, int whence));
TUTTI_NX(esize_t, esize, (int fildes, esize_t offset, int whence));
/* Returns 1 if the node's position is at the end of the file, else 0. */
TUTTI_NX(long, iseof, (int fildes));
/* As cread, cwrite, iread and iwrite, with a list of buffers as readv() has it. */
struct iovec;
TUTTI_NX(void, creadv, (int fildes, const struct iovec* iov, int n));
TUTTI_NX(void, cwritev, (int fildes, const struct iovec* iov, int n));
TUTTI_NX(long, ireadv, (int fildes, const struct iovec* iov, int n));
TUTTI_NX(long, iwritev, (int fildes, const struct iovec* iov, int n));
/* At an offset from the beginning of the file. The node's position stays. Those that begin with
 * read or write return how many bytes it were, the others an id. */
TUTTI_NX(long, readoff, (int fildes, esize_t offset, void* buffer, long nbytes));
TUTTI_NX(long, writeoff, (int fildes, esize_t offset, const void* buffer, long nbytes));
TUTTI_NX(long, ireadoff, (int fildes, esize_t offset, void* buffer, long nbytes));
TUTTI_NX(long, iwriteoff, (int fildes, esize_t offset, const void* buffer, long nbytes));
TUTTI_NX(long, readvoff, (int fildes, esize_t offset, const struct iovec* iov, int n));
TUTTI_NX(long, writevoff, (int fildes, esize_t offset, const struct iovec* iov, int n));
TUTTI_NX(long, ireadvoff, (int fildes, esize_t offset, const struct iovec* iov, int n));
TUTTI_NX(long, iwritevoff, (int fildes, esize_t offset, const struct iovec* iov, int n));
/* What is known of a file. sys/estat.h has the structure. In C++ its constructor has the name of
 * the call, as with the operating system's stat. */
#if defined(__GNUC__) && defined(__cplusplus)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
struct estat;
TUTTI_NX(long, estat, (const char* path, struct estat* state));
TUTTI_NX(long, lestat, (const char* path, struct estat* state));
TUTTI_NX(long, festat, (int fildes, struct estat* state));
/* These fail: the files are none of a parallel file system. */
struct estatfs;
struct statpfs;
struct pfsmntinfo;
TUTTI_NX(long, statpfs,
         (const char* path, struct estatfs* system, struct statpfs* pfs, unsigned int size));
TUTTI_NX(long, fstatpfs,
         (int fildes, struct estatfs* system, struct statpfs* pfs, unsigned int size));
TUTTI_NX(long, getpfsinfo, (struct pfsmntinfo * *mounted));
#if defined(__GNUC__) && defined(__cplusplus)
#pragma GCC diagnostic pop
#endif
/* Chose the volumes of a file; means nothing here. Returns 0. */
TUTTI_NX(long, restrictvol, (int fildes, int n, const int* volumes));

/* ---- numbers of type esize_t, which are plain numbers here ---- */

TUTTI_NX(esize_t, eadd, (esize_t x, esize_t y));
TUTTI_NX(esize_t, eadd1, (esize_t x, long y));
TUTTI_NX(esize_t, esub, (esize_t x, esize_t y));
TUTTI_NX(esize_t, esub1, (esize_t x, long y));
TUTTI_NX(esize_t, emul, (esize_t x, long y));
TUTTI_NX(long, ediv, (esize_t x, long y));
TUTTI_NX(long, emod, (esize_t x, long y));
/* Returns -1, 0 or 1. */
TUTTI_NX(long, ecmp, (esize_t x, esize_t y));
/* The number as a text of at most 20 characters, and the number that a text says. */
TUTTI_NX(void, etos, (esize_t x, char* text));
TUTTI_NX(esize_t, stoe, (const char* text));

/* ---- calls of all nodes ---- */

/* Returns when all nodes have called it. */
TUTTI_NX(void, gsync, (void));
/* Combine the `n` elements of x on all nodes, element by element. All nodes get the result in x.
 * The content of `work` is not defined afterwards. Sums, products, the largest and the smallest of
 * double, long and float; bits and logical values of long. */
TUTTI_NX(void, gdsum, (double* x, long n, double* work));
TUTTI_NX_INTEGERS(void, gisum, (tutti_nx_integer * x, long n, tutti_nx_integer* work));
TUTTI_NX(void, gssum, (float* x, long n, float* work));
TUTTI_NX(void, gdprod, (double* x, long n, double* work));
TUTTI_NX_INTEGERS(void, giprod, (tutti_nx_integer * x, long n, tutti_nx_integer* work));
TUTTI_NX(void, gsprod, (float* x, long n, float* work));
TUTTI_NX(void, gdhigh, (double* x, long n, double* work));
TUTTI_NX_INTEGERS(void, gihigh, (tutti_nx_integer * x, long n, tutti_nx_integer* work));
TUTTI_NX(void, gshigh, (float* x, long n, float* work));
TUTTI_NX(void, gdlow, (double* x, long n, double* work));
TUTTI_NX_INTEGERS(void, gilow, (tutti_nx_integer * x, long n, tutti_nx_integer* work));
TUTTI_NX(void, gslow, (float* x, long n, float* work));
TUTTI_NX_INTEGERS(void, giand, (tutti_nx_integer * x, long n, tutti_nx_integer* work));
TUTTI_NX_INTEGERS(void, gior, (tutti_nx_integer * x, long n, tutti_nx_integer* work));
TUTTI_NX_INTEGERS(void, gixor, (tutti_nx_integer * x, long n, tutti_nx_integer* work));
TUTTI_NX_INTEGERS(void, gland, (tutti_nx_integer * x, long n, tutti_nx_integer* work));
TUTTI_NX_INTEGERS(void, glor, (tutti_nx_integer * x, long n, tutti_nx_integer* work));
TUTTI_NX_INTEGERS(void, glxor, (tutti_nx_integer * x, long n, tutti_nx_integer* work));
/* Collects `xlen` bytes of each node, in the order of the nodes, in y on all nodes. The buffer has
 * `ylen` bytes; *ncnt gets how many were collected. */
TUTTI_NX_INTEGERS(void, gcol,
                  (const void* x, long xlen, void* y, long ylen, tutti_nx_integer* ncnt));
/* Collects xlens[i] bytes of node i. */
TUTTI_NX_INTEGERS(void, gcolx, (const void* x, const tutti_nx_integer* xlens, void* y));
/* Combines the `xlen` bytes of x on all nodes by function(x, work), which leaves x op work in x. It
 * always gets whole vectors. */
#ifdef __cplusplus
typedef void (*tutti_nx_function)(void* x, void* work);
#else
typedef tutti_nx_procedure tutti_nx_function;
#endif
TUTTI_NX(void, gopf, (void* x, long xlen, void* work, tutti_nx_function function));

#ifdef __cplusplus
}
#endif
#endif

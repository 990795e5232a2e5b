/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PVM 3.4 over tutti: the C interface, with the names, values and structures that programs of the
 * nineties were written against. Link with -lgpvm3 -lpvm3 (`tutti pvm-cc` prints all flags).
 *
 * Manual pages: pvm_spawn(3), pvm_send(3), pvm_pkint(3), pvm_joingroup(3), tutti_pvm(7).
 */
#ifndef TUTTI_PVM3_H
#define TUTTI_PVM3_H

#include <stdio.h>
#include <sys/time.h>

#ifndef TUTTI_API
#if defined(__GNUC__)
#define TUTTI_API __attribute__((visibility("default")))
#else
#define TUTTI_API
#endif
#endif

#define PVM_VER "3.4.6"
#define PVM_MAJOR_VERSION 3
#define PVM_MINOR_VERSION 4
#define PVM_PATCH_VERSION 6

/* ---- encodings of pvm_initsend and pvm_mkbuf ---- */
#define PvmDataDefault 0
#define PvmDataRaw 1
#define PvmDataInPlace 2 /* the data are read when the message is sent */
#define PvmDataFoo PvmDataDefault
#define PvmDataTrace 4

/* ---- flags of pvm_spawn ---- */
#define PvmTaskDefault 0
#define PvmTaskHost 1  /* `where` is a host */
#define PvmTaskArch 2  /* `where` is an architecture */
#define PvmTaskDebug 4 /* accepted, without effect */
#define PvmTaskTrace 8 /* accepted, without effect */
#define PvmMppFront 16 /* accepted, without effect */
#define PvmHostCompl 32
#define PvmNoSpawnParent 64

/* ---- kinds of pvm_notify ---- */
#define PvmTaskExit 1
#define PvmHostDelete 2
#define PvmHostAdd 3
#define PvmRouteAdd 4
#define PvmRouteDelete 5
#define PvmNotifyCancel 256

/* ---- options of pvm_setopt and pvm_getopt ---- */
#define PvmRoute 1
#define PvmDontRoute 1
#define PvmAllowDirect 2
#define PvmRouteDirect 3
#define PvmDebugMask 2
#define PvmAutoErr 3
#define PvmOutputTid 4
#define PvmOutputCode 5
#define PvmTraceTid 6
#define PvmTraceCode 7
#define PvmTraceBuffer 8
#define PvmTraceOptions 9
#define PvmTraceFull 1
#define PvmTraceTime 2
#define PvmTraceCount 3
#define PvmFragSize 10
#define PvmResvTids 11
#define PvmSelfOutputTid 12
#define PvmSelfOutputCode 13
#define PvmSelfTraceTid 14
#define PvmSelfTraceCode 15
#define PvmSelfTraceBuffer 16
#define PvmSelfTraceOptions 17
#define PvmShowTids 18
#define PvmPollType 19
#define PvmPollConstant 1
#define PvmPollSleep 2
#define PvmPollTime 20
#define PvmOutputContext 21
#define PvmTraceContext 22
#define PvmSelfOutputContext 23
#define PvmSelfTraceContext 24
#define PvmNoReset 25

#define PvmTaskSelf 0
#define PvmTaskChild 1
#define PvmBaseContext 0

/* ---- flags of the message mailbox ---- */
#define PvmMboxDefault 0
#define PvmMboxPersistent 1
#define PvmMboxMultiInstance 2
#define PvmMboxOverWritable 4
#define PvmMboxFirstAvail 8
#define PvmMboxReadAndDelete 16
#define PvmMboxWaitForInfo 32
#define PvmMboxMaxFlag 512
#define PvmMboxDirectIndexShift                                     \
  10 /* one entry of a class is named by its index, above the flags \
      */
#define PvmMboxMaxDirectIndex ((unsigned)1 << (31 - PvmMboxDirectIndexShift))
#define PvmMboxDirectIndex(index) ((index) << PvmMboxDirectIndexShift)
#define PvmMboxDirectIndexOf(flags) ((unsigned)(flags) >> PvmMboxDirectIndexShift)

/* ---- classes of the message mailbox that the real machine uses itself ---- */
#define PVMNORESETCLASS "###_PVM_NO_RESET_###"
#define PVMHOSTERCLASS "###_PVM_HOSTER_###"
#define PVMTASKERCLASS "###_PVM_TASKER_###"
#define PVMTRACERCLASS "###_PVM_TRACER_###"
#define PVMRMCLASS "###_PVM_RM_###"

/* ---- statuses ---- */
#define PvmOk 0
#define PvmBadParam -2
#define PvmMismatch -3
#define PvmOverflow -4
#define PvmNoData -5
#define PvmNoHost -6
#define PvmNoFile -7
#define PvmDenied -8
#define PvmNoMem -10
#define PvmBadMsg -12
#define PvmSysErr -14
#define PvmNoBuf -15
#define PvmNoSuchBuf -16
#define PvmNullGroup -17
#define PvmDupGroup -18
#define PvmNoGroup -19
#define PvmNotInGroup -20
#define PvmNoInst -21
#define PvmHostFail -22
#define PvmNoParent -23
#define PvmNotImpl -24
#define PvmDSysErr -25
#define PvmBadVersion -26
#define PvmOutOfRes -27
#define PvmDupHost -28
#define PvmCantStart -29
#define PvmAlready -30
#define PvmNoTask -31
#define PvmNotFound -32
#define PvmExists -33
#define PvmHostrNMstr -34
#define PvmParentNotSet -35
#define PvmIPLoopback -36
#define PvmNoEntry PvmNotFound
#define PvmDupEntry PvmDenied

/* ---- data types ---- */
#define PVM_STR 0
#define PVM_BYTE 1
#define PVM_SHORT 2
#define PVM_INT 3
#define PVM_FLOAT 4
#define PVM_CPLX 5
#define PVM_DOUBLE 6
#define PVM_DCPLX 7
#define PVM_LONG 8
#define PVM_USHORT 9
#define PVM_UINT 10
#define PVM_ULONG 11

struct pvmhostinfo {
  int hi_tid;
  char* hi_name;
  char* hi_arch;
  int hi_speed;
  int hi_dsig;
};

struct pvmtaskinfo {
  int ti_tid;
  int ti_ptid;
  int ti_host;
  int ti_flag;
  char* ti_a_out;
  int ti_pid;
};

struct pvmminfo {
  int len;
  int ctx;
  int tag;
  int wid;
  int enc;
  int crc;
  int src;
  int dst;
};

struct pvmmboxinfo {
  char* mi_name;
  int mi_nentries;
  int* mi_indices;
  int* mi_owners;
  int* mi_flags;
};

#ifdef __cplusplus
extern "C" {
#endif

/* ---- this task and its machine ---- */
extern TUTTI_API int pvm_errno;  /* error of the last call that failed */
extern TUTTI_API int pvmdebmask; /* has no effect */
TUTTI_API int pvm_mytid(void);
TUTTI_API int pvm_exit(void);
TUTTI_API int pvm_parent(void);
TUTTI_API int pvm_siblings(int** tids);
TUTTI_API int pvm_setopt(int what, int value);
TUTTI_API int pvm_getopt(int what);
TUTTI_API int pvm_perror(char* message);
TUTTI_API char* pvm_strerror(void);
TUTTI_API char* pvm_version(void);
TUTTI_API int pvm_config(int* hosts, int* architectures, struct pvmhostinfo** list);
TUTTI_API int pvm_tasks(int where, int* count, struct pvmtaskinfo** list);
TUTTI_API int pvm_tidtohost(int tid);
TUTTI_API int pvm_pstat(int tid);
TUTTI_API int pvm_mstat(char* host);
TUTTI_API int pvm_archcode(char* architecture);
TUTTI_API int pvm_hostsync(int host, struct timeval* clock, struct timeval* difference);
TUTTI_API int pvm_start_pvmd(int argc, char** argv, int wait);
TUTTI_API int pvm_halt(void);
TUTTI_API int pvm_addhosts(char** hosts, int count, int* infos);
TUTTI_API int pvm_delhosts(char** hosts, int count, int* infos);
TUTTI_API int pvm_export(char* name);
TUTTI_API int pvm_unexport(char* name);
TUTTI_API int pvm_getfds(int** descriptors);
TUTTI_API int pvm_gettmask(int who, char* mask);
TUTTI_API int pvm_settmask(int who, char* mask);
TUTTI_API int pvm_reg_hoster(void);
TUTTI_API int pvm_reg_rm(struct pvmhostinfo** host);
TUTTI_API int pvm_reg_tasker(void);
TUTTI_API int pvm_reg_tracer(int tid, int tag, int context, int output_context, char* mask,
                             int buffer, int options);
TUTTI_API int pvm_tickle(int count, int* arguments, int* answers, int* answer);
TUTTI_API int pvmsleep(int seconds);
TUTTI_API int pvmgetclock(struct timeval* now);
TUTTI_API int pvm_getnoresets(int** tids, int* count);
/* The folder for files of PVM, and the program that would start a daemon on another host. */
TUTTI_API char* pvmgettmp(void);
TUTTI_API char* pvmgetrsh(void);
/* Writes the name of a file that is not there, for programs that cannot use tmpnam. */
TUTTI_API char* pvmtmpnam(char* name);
#define PVMTMPNAMFUN(x) pvmtmpnam(x)
#define PVMTMPNAMLEN 128

/* ---- other tasks ---- */
TUTTI_API int pvm_spawn(char* task, char** argv, int flag, char* where, int count, int* tids);
TUTTI_API int pvm_catchout(FILE* file);
TUTTI_API int pvm_kill(int tid);
TUTTI_API int pvm_sendsig(int tid, int signal);
TUTTI_API int pvm_notify(int what, int tag, int count, int* tids);

/* ---- message buffers ---- */
TUTTI_API int pvm_initsend(int encoding);
TUTTI_API int pvm_mkbuf(int encoding);
TUTTI_API int pvm_freebuf(int buffer);
TUTTI_API int pvm_getsbuf(void);
TUTTI_API int pvm_getrbuf(void);
TUTTI_API int pvm_setsbuf(int buffer);
TUTTI_API int pvm_setrbuf(int buffer);
TUTTI_API int pvm_bufinfo(int buffer, int* bytes, int* tag, int* tid);
TUTTI_API int pvm_getminfo(int buffer, struct pvmminfo* info);
TUTTI_API int pvm_setminfo(int buffer, struct pvmminfo* info);
/* The wait number of a message, as PVM 3.3 has it. */
TUTTI_API int pvm_getmwid(int buffer);
TUTTI_API int pvm_setmwid(int buffer, int number);

/* ---- packing and unpacking ---- */
TUTTI_API int pvm_pkbyte(char* data, int count, int stride);
TUTTI_API int pvm_pkshort(short* data, int count, int stride);
TUTTI_API int pvm_pkint(int* data, int count, int stride);
TUTTI_API int pvm_pklong(long* data, int count, int stride);
TUTTI_API int pvm_pkushort(unsigned short* data, int count, int stride);
TUTTI_API int pvm_pkuint(unsigned int* data, int count, int stride);
TUTTI_API int pvm_pkulong(unsigned long* data, int count, int stride);
TUTTI_API int pvm_pkfloat(float* data, int count, int stride);
TUTTI_API int pvm_pkdouble(double* data, int count, int stride);
TUTTI_API int pvm_pkcplx(float* data, int count, int stride);
TUTTI_API int pvm_pkdcplx(double* data, int count, int stride);
TUTTI_API int pvm_pkstr(char* text);
TUTTI_API int pvm_packf(const char* format, ...);
TUTTI_API int pvm_pkmesg(int buffer);
TUTTI_API int pvm_pkmesgbody(int buffer);
TUTTI_API int pvm_upkbyte(char* data, int count, int stride);
TUTTI_API int pvm_upkshort(short* data, int count, int stride);
TUTTI_API int pvm_upkint(int* data, int count, int stride);
TUTTI_API int pvm_upklong(long* data, int count, int stride);
TUTTI_API int pvm_upkushort(unsigned short* data, int count, int stride);
TUTTI_API int pvm_upkuint(unsigned int* data, int count, int stride);
TUTTI_API int pvm_upkulong(unsigned long* data, int count, int stride);
TUTTI_API int pvm_upkfloat(float* data, int count, int stride);
TUTTI_API int pvm_upkdouble(double* data, int count, int stride);
TUTTI_API int pvm_upkcplx(float* data, int count, int stride);
TUTTI_API int pvm_upkdcplx(double* data, int count, int stride);
TUTTI_API int pvm_upkstr(char* text);
TUTTI_API int pvm_unpackf(const char* format, ...);
TUTTI_API int pvm_upkmesg(void);

/* ---- messages ---- */
TUTTI_API int pvm_send(int tid, int tag);
TUTTI_API int pvm_mcast(int* tids, int count, int tag);
TUTTI_API int pvm_psend(int tid, int tag, void* data, int count, int type);
TUTTI_API int pvm_recv(int tid, int tag);
TUTTI_API int pvm_nrecv(int tid, int tag);
TUTTI_API int pvm_trecv(int tid, int tag, struct timeval* limit);
TUTTI_API int pvm_probe(int tid, int tag);
TUTTI_API int pvm_precv(int tid, int tag, void* data, int count, int type, int* from, int* with,
                        int* received);
/* Decides about a message: 0 refuses it, 1 takes it, and of larger numbers the message with the
 * highest is taken. A negative number is the error to return. NULL as the function restores the
 * usual match. */
typedef int (*tutti_pvm_match)(int buffer, int tid, int tag);
TUTTI_API tutti_pvm_match pvm_recvf(tutti_pvm_match match);

/* Gives `handler` each message with this sender, tag and context (-1: any) as soon as a call of PVM
 * finds it. */
TUTTI_API int pvm_addmhf(int tid, int tag, int context, int (*handler)(int buffer));
TUTTI_API int pvm_delmhf(int handler);

/* ---- contexts ---- */
TUTTI_API int pvm_newcontext(void);
TUTTI_API int pvm_setcontext(int context);
TUTTI_API int pvm_getcontext(void);
TUTTI_API int pvm_freecontext(int context);

/* ---- the message mailbox ---- */
TUTTI_API int pvm_putinfo(char* name, int buffer, int flags);
TUTTI_API int pvm_recvinfo(char* name, int index, int flags);
TUTTI_API int pvm_delinfo(char* name, int index, int flags);
TUTTI_API int pvm_getmboxinfo(char* pattern, int* count, struct pvmmboxinfo** classes);
TUTTI_API int pvm_insert(char* name, int index, int value);
TUTTI_API int pvm_lookup(char* name, int index, int* value);
TUTTI_API int pvm_delete(char* name, int index);

/* ---- groups ---- */
TUTTI_API int pvm_joingroup(char* group);
TUTTI_API int pvm_lvgroup(char* group);
TUTTI_API int pvm_getinst(char* group, int tid);
TUTTI_API int pvm_gettid(char* group, int instance);
TUTTI_API int pvm_gsize(char* group);
TUTTI_API int pvm_freezegroup(char* group, int size);
TUTTI_API int pvm_barrier(char* group, int count);
TUTTI_API int pvm_bcast(char* group, int tag);
TUTTI_API int pvm_scatter(void* result, void* data, int count, int type, int tag, char* group,
                          int root);
TUTTI_API int pvm_gather(void* result, void* data, int count, int type, int tag, char* group,
                         int root);
TUTTI_API int pvm_reduce(void (*function)(int*, void*, void*, int*, int*), void* data, int count,
                         int type, int tag, char* group, int root);
TUTTI_API void PvmMax(int* type, void* x, void* y, int* count, int* info);
TUTTI_API void PvmMin(int* type, void* x, void* y, int* count, int* info);
TUTTI_API void PvmSum(int* type, void* x, void* y, int* count, int* info);
TUTTI_API void PvmProduct(int* type, void* x, void* y, int* count, int* info);

#ifdef __cplusplus
}
#endif
#endif

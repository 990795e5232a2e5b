/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Trace masks of PVM, for pvm_gettmask and pvm_settmask. A mask is a text with 4 events in each
 * character. tutti traces nothing: masks are kept and have no effect.
 */
#ifndef TUTTI_PVMTEV_H
#define TUTTI_PVMTEV_H

/* clang-format off */
#define TEV_ADDHOSTS 0
#define TEV_BARRIER 1
#define TEV_BCAST 2
#define TEV_BUFINFO 3
#define TEV_CONFIG 4
#define TEV_DELETE 5
#define TEV_DELHOSTS 6
#define TEV_EXIT 7
#define TEV_FREEBUF 8
#define TEV_GETFDS 9
#define TEV_GETINST 10
#define TEV_GETOPT 11
#define TEV_GETRBUF 12
#define TEV_GETSBUF 13
#define TEV_GETTID 14
#define TEV_GSIZE 15
#define TEV_HALT 16
#define TEV_INITSEND 17
#define TEV_INSERT 18
#define TEV_JOINGROUP 19
#define TEV_KILL 20
#define TEV_LOOKUP 21
#define TEV_LVGROUP 22
#define TEV_MCAST 23
#define TEV_MKBUF 24
#define TEV_MSTAT 25
#define TEV_MYTID 26
#define TEV_NOTIFY 27
#define TEV_NRECV 28
#define TEV_PARENT 29
#define TEV_PERROR 30
#define TEV_PKBYTE 31
#define TEV_PKCPLX 32
#define TEV_PKDCPLX 33
#define TEV_PKDOUBLE 34
#define TEV_PKFLOAT 35
#define TEV_PKINT 36
#define TEV_PKUINT 37
#define TEV_PKLONG 38
#define TEV_PKULONG 39
#define TEV_PKSHORT 40
#define TEV_PKUSHORT 41
#define TEV_PKSTR 42
#define TEV_PROBE 43
#define TEV_PSTAT 44
#define TEV_RECV 45
#define TEV_RECVF 46
#define TEV_SEND 47
#define TEV_SENDSIG 48
#define TEV_SETOPT 49
#define TEV_SETRBUF 50
#define TEV_SETSBUF 51
#define TEV_SPAWN 52
#define TEV_START_PVMD 53
#define TEV_TASKS 54
#define TEV_TICKLE 55
#define TEV_TIDTOHOST 56
#define TEV_TRECV 57
#define TEV_UPKBYTE 58
#define TEV_UPKCPLX 59
#define TEV_UPKDCPLX 60
#define TEV_UPKDOUBLE 61
#define TEV_UPKFLOAT 62
#define TEV_UPKINT 63
#define TEV_UPKUINT 64
#define TEV_UPKLONG 65
#define TEV_UPKULONG 66
#define TEV_UPKSHORT 67
#define TEV_UPKUSHORT 68
#define TEV_UPKSTR 69
#define TEV_VERSION 70
#define TEV_REG_HOSTER 71
#define TEV_REG_RM 72
#define TEV_REG_TASKER 73
#define TEV_REG_TRACER 74
#define TEV_NEWTASK 75
#define TEV_ENDTASK 76
#define TEV_SPNTASK 77
#define TEV_ARCHCODE 78
#define TEV_CATCHOUT 79
#define TEV_GETMWID 80
#define TEV_GETTMASK 81
#define TEV_HOSTSYNC 82
#define TEV_PACKF 83
#define TEV_PRECV 84
#define TEV_PSEND 85
#define TEV_REDUCE 86
#define TEV_SETMWID 87
#define TEV_SETTMASK 88
#define TEV_UNPACKF 89
#define TEV_GATHER 90
#define TEV_SCATTER 91
#define TEV_PUTINFO 92
#define TEV_GETINFO 93
#define TEV_DELINFO 94
#define TEV_GETMBOXINFO 95
#define TEV_NEWCONTEXT 96
#define TEV_FREECONTEXT 97
#define TEV_SETCONTEXT 98
#define TEV_GETCONTEXT 99
#define TEV_SIBLINGS 100
#define TEV_GETMINFO 101
#define TEV_SETMINFO 102
#define TEV_ADDMHF 103
#define TEV_DELMHF 104
#define TEV_MHF_INVOKE 105
#define TEV_TIMING 106
#define TEV_PROFILING 107
#define TEV_USER_DEFINED 108
/* clang-format on */

#define TEV_FIRST 0
#define TEV_MAX 108
#define TEV_EVENT_ENTRY 0x4000
#define TEV_EVENT_EXIT 0x8000

#define TEV_MASK_LENGTH 36
typedef char Pvmtmask[TEV_MASK_LENGTH];

#define TEV_MASK_SET(mask, kind) ((mask)[(kind) / 4] |= (char)(1 << ((kind)&3)))
#define TEV_MASK_UNSET(mask, kind) ((mask)[(kind) / 4] &= (char)~(1 << ((kind)&3)))
#define TEV_MASK_CHECK(mask, kind) ((mask)[(kind) / 4] & (1 << ((kind)&3)))
#define TEV_MASK_INIT(mask)                                                                \
  do {                                                                                     \
    int tutti_tev_at = 0;                                                                  \
    for (; tutti_tev_at < TEV_MASK_LENGTH - 1; ++tutti_tev_at) (mask)[tutti_tev_at] = '@'; \
    (mask)[TEV_MASK_LENGTH - 1] = 0;                                                       \
  } while (0)

#endif

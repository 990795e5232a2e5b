/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part of the standard binary interface of MPI 5.0 that tutti uses: values of handles and
 * constants, types, and functions. Every MPI offers this interface in a library libmpi_abi.so.1. So
 * what is compiled with this header serves programs of that library, whichever MPI it is of.
 *
 * Source: MPI: A Message-Passing Interface Standard, version 5.0, chapter "Application Binary
 * Interface (ABI)" and its tables of constants.
 */
#ifndef TUTTI_MPI_ABI_MPI_H
#define TUTTI_MPI_ABI_MPI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The sources that this header is made for ask for it. */
#define TUTTI_STANDARD_ABI 1
#define MPI_VERSION 5
#define MPI_SUBVERSION 0

typedef intptr_t MPI_Aint;
typedef int64_t MPI_Count;
typedef int MPI_Fint;

typedef struct {
  int MPI_SOURCE, MPI_TAG, MPI_ERROR;
  int reserved[5];
} MPI_Status;

/* Handles are pointers to objects that no program sees. Those that stand for constants are numbers
 * below 1024, in which the upper bits tell the kind. */
typedef struct MPI_ABI_Comm* MPI_Comm;
typedef struct MPI_ABI_Datatype* MPI_Datatype;
typedef struct MPI_ABI_Errhandler* MPI_Errhandler;
typedef struct MPI_ABI_File* MPI_File;
typedef struct MPI_ABI_Group* MPI_Group;
typedef struct MPI_ABI_Info* MPI_Info;
typedef struct MPI_ABI_Message* MPI_Message;
typedef struct MPI_ABI_Op* MPI_Op;
typedef struct MPI_ABI_Request* MPI_Request;
typedef struct MPI_ABI_Session* MPI_Session;
typedef struct MPI_ABI_Win* MPI_Win;

#define TUTTI_MPI_HANDLE(kind, number) ((kind)(intptr_t)(number))

#define MPI_OP_NULL TUTTI_MPI_HANDLE(MPI_Op, 0x20)
#define MPI_SUM TUTTI_MPI_HANDLE(MPI_Op, 0x21)
#define MPI_MIN TUTTI_MPI_HANDLE(MPI_Op, 0x22)
#define MPI_MAX TUTTI_MPI_HANDLE(MPI_Op, 0x23)
#define MPI_PROD TUTTI_MPI_HANDLE(MPI_Op, 0x24)
#define MPI_BAND TUTTI_MPI_HANDLE(MPI_Op, 0x28)
#define MPI_BOR TUTTI_MPI_HANDLE(MPI_Op, 0x29)
#define MPI_BXOR TUTTI_MPI_HANDLE(MPI_Op, 0x2a)
#define MPI_LAND TUTTI_MPI_HANDLE(MPI_Op, 0x30)
#define MPI_LOR TUTTI_MPI_HANDLE(MPI_Op, 0x31)
#define MPI_LXOR TUTTI_MPI_HANDLE(MPI_Op, 0x32)
#define MPI_MINLOC TUTTI_MPI_HANDLE(MPI_Op, 0x38)
#define MPI_MAXLOC TUTTI_MPI_HANDLE(MPI_Op, 0x39)
#define MPI_REPLACE TUTTI_MPI_HANDLE(MPI_Op, 0x3c)
#define MPI_NO_OP TUTTI_MPI_HANDLE(MPI_Op, 0x3d)

#define MPI_COMM_NULL TUTTI_MPI_HANDLE(MPI_Comm, 0x100)
#define MPI_COMM_WORLD TUTTI_MPI_HANDLE(MPI_Comm, 0x101)
#define MPI_COMM_SELF TUTTI_MPI_HANDLE(MPI_Comm, 0x102)
#define MPI_GROUP_NULL TUTTI_MPI_HANDLE(MPI_Group, 0x108)
#define MPI_MESSAGE_NULL TUTTI_MPI_HANDLE(MPI_Message, 0x128)
#define MPI_INFO_NULL TUTTI_MPI_HANDLE(MPI_Info, 0x130)
#define MPI_ERRHANDLER_NULL TUTTI_MPI_HANDLE(MPI_Errhandler, 0x140)
#define MPI_ERRORS_ARE_FATAL TUTTI_MPI_HANDLE(MPI_Errhandler, 0x141)
#define MPI_REQUEST_NULL TUTTI_MPI_HANDLE(MPI_Request, 0x180)

#define MPI_DATATYPE_NULL TUTTI_MPI_HANDLE(MPI_Datatype, 0x200)
#define MPI_INT TUTTI_MPI_HANDLE(MPI_Datatype, 0x209)
#define MPI_FLOAT TUTTI_MPI_HANDLE(MPI_Datatype, 0x210)
#define MPI_C_FLOAT_COMPLEX TUTTI_MPI_HANDLE(MPI_Datatype, 0x212)
#define MPI_DOUBLE TUTTI_MPI_HANDLE(MPI_Datatype, 0x214)
#define MPI_C_DOUBLE_COMPLEX TUTTI_MPI_HANDLE(MPI_Datatype, 0x216)
#define MPI_2INT TUTTI_MPI_HANDLE(MPI_Datatype, 0x22b)
#define MPI_INT8_T TUTTI_MPI_HANDLE(MPI_Datatype, 0x240)
#define MPI_UINT8_T TUTTI_MPI_HANDLE(MPI_Datatype, 0x241)
#define MPI_BYTE TUTTI_MPI_HANDLE(MPI_Datatype, 0x247)
#define MPI_INT16_T TUTTI_MPI_HANDLE(MPI_Datatype, 0x248)
#define MPI_UINT16_T TUTTI_MPI_HANDLE(MPI_Datatype, 0x249)
#define MPI_INT32_T TUTTI_MPI_HANDLE(MPI_Datatype, 0x250)
#define MPI_UINT32_T TUTTI_MPI_HANDLE(MPI_Datatype, 0x251)
#define MPI_INT64_T TUTTI_MPI_HANDLE(MPI_Datatype, 0x258)
#define MPI_UINT64_T TUTTI_MPI_HANDLE(MPI_Datatype, 0x259)

/* Addresses with a meaning of their own. */
#define MPI_BOTTOM ((void*)0)
#define MPI_IN_PLACE ((void*)1)
#define MPI_STATUS_IGNORE ((MPI_Status*)0)
#define MPI_COMM_NULL_COPY_FN ((MPI_Comm_copy_attr_function*)0)

enum {
  MPI_SUCCESS = 0,
  MPI_ERR_BUFFER = 1,
  MPI_ERR_COUNT = 2,
  MPI_ERR_TYPE = 3,
  MPI_ERR_TAG = 4,
  MPI_ERR_COMM = 5,
  MPI_ERR_RANK = 6,
  MPI_ERR_REQUEST = 7,
  MPI_ERR_ROOT = 8,
  MPI_ERR_GROUP = 9,
  MPI_ERR_OP = 10,
  MPI_ERR_TOPOLOGY = 11,
  MPI_ERR_DIMS = 12,
  MPI_ERR_ARG = 13,
  MPI_ERR_UNKNOWN = 14,
  MPI_ERR_TRUNCATE = 15,
  MPI_ERR_OTHER = 16,
  MPI_ERR_INTERN = 17,
  MPI_ERR_NO_MEM = 39
};
enum {
  MPI_ANY_SOURCE = -1,
  MPI_ANY_TAG = -2,
  MPI_PROC_NULL = -3,
  MPI_ROOT = -4,
  MPI_UNDEFINED = -32766,
  MPI_KEYVAL_INVALID = 0
};
enum {
  MPI_THREAD_SINGLE = 0,
  MPI_THREAD_FUNNELED = 1024,
  MPI_THREAD_SERIALIZED = 2048,
  MPI_THREAD_MULTIPLE = 4096
};
enum {
  MPI_COMBINER_NAMED = 101,
  MPI_COMBINER_DUP = 102,
  MPI_COMBINER_CONTIGUOUS = 103,
  MPI_COMBINER_F90_REAL = 113,
  MPI_COMBINER_F90_COMPLEX = 114,
  MPI_COMBINER_F90_INTEGER = 115,
  MPI_COMBINER_RESIZED = 116
};
enum { MPI_COMM_TYPE_SHARED = 221 };
enum {
  MPI_MAX_ERROR_STRING = 512,
  MPI_MAX_LIBRARY_VERSION_STRING = 8192,
  MPI_MAX_OBJECT_NAME = 128
};

typedef int MPI_Comm_copy_attr_function(MPI_Comm, int, void*, void*, void*, int*);
typedef int MPI_Comm_delete_attr_function(MPI_Comm, int, void*, void*);
typedef void MPI_Comm_errhandler_function(MPI_Comm*, int*, ...);
typedef int MPI_Type_copy_attr_function(MPI_Datatype, int, void*, void*, void*, int*);
typedef int MPI_Type_delete_attr_function(MPI_Datatype, int, void*, void*);
typedef void MPI_User_function(void*, void*, int*, MPI_Datatype*);

#include "functions.h"

#ifdef __cplusplus
}
#endif
#endif

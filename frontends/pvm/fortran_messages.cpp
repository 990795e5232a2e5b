// SPDX-License-Identifier: BSD-3-Clause
// The Fortran 77 interface to buffers, messages and groups.
#include <tutti-pvm/pvm3.h>

#include "fortran_text.hpp"

using namespace tutti::pvm;

namespace {

using Function = void (*)(int*, void*, void*, int*, int*);

struct Pointers {
  void* data;
  int count, stride;
};

// Types of pvmfpack have the numbers of C's data types. Text (STRING) is packed as its characters.
int pack(int type, const Pointers& from) {
  switch (type) {
    case PVM_STR:
    case PVM_BYTE:
      return pvm_pkbyte(static_cast<char*>(from.data), from.count, from.stride);
    case PVM_SHORT:
      return pvm_pkshort(static_cast<short*>(from.data), from.count, from.stride);
    case PVM_INT:
      return pvm_pkint(static_cast<int*>(from.data), from.count, from.stride);
    case PVM_FLOAT:
      return pvm_pkfloat(static_cast<float*>(from.data), from.count, from.stride);
    case PVM_CPLX:
      return pvm_pkcplx(static_cast<float*>(from.data), from.count, from.stride);
    case PVM_DOUBLE:
      return pvm_pkdouble(static_cast<double*>(from.data), from.count, from.stride);
    case PVM_DCPLX:
      return pvm_pkdcplx(static_cast<double*>(from.data), from.count, from.stride);
    case PVM_LONG:
      return pvm_pklong(static_cast<long*>(from.data), from.count, from.stride);
    default:
      return PvmBadParam;
  }
}

int unpack(int type, const Pointers& to) {
  switch (type) {
    case PVM_STR:
    case PVM_BYTE:
      return pvm_upkbyte(static_cast<char*>(to.data), to.count, to.stride);
    case PVM_SHORT:
      return pvm_upkshort(static_cast<short*>(to.data), to.count, to.stride);
    case PVM_INT:
      return pvm_upkint(static_cast<int*>(to.data), to.count, to.stride);
    case PVM_FLOAT:
      return pvm_upkfloat(static_cast<float*>(to.data), to.count, to.stride);
    case PVM_CPLX:
      return pvm_upkcplx(static_cast<float*>(to.data), to.count, to.stride);
    case PVM_DOUBLE:
      return pvm_upkdouble(static_cast<double*>(to.data), to.count, to.stride);
    case PVM_DCPLX:
      return pvm_upkdcplx(static_cast<double*>(to.data), to.count, to.stride);
    case PVM_LONG:
      return pvm_upklong(static_cast<long*>(to.data), to.count, to.stride);
    default:
      return PvmBadParam;
  }
}

}  // namespace

extern "C" {

// ---- buffers ----

void pvmfinitsend_(const int* encoding, int* buffer) {
  *buffer = pvm_initsend(*encoding);
}
void pvmfmkbuf_(const int* encoding, int* buffer) {
  *buffer = pvm_mkbuf(*encoding);
}
void pvmffreebuf_(const int* buffer, int* info) {
  *info = pvm_freebuf(*buffer);
}
void pvmfgetsbuf_(int* buffer) {
  *buffer = pvm_getsbuf();
}
void pvmfgetrbuf_(int* buffer) {
  *buffer = pvm_getrbuf();
}
void pvmfsetsbuf_(const int* buffer, int* old) {
  *old = pvm_setsbuf(*buffer);
}
void pvmfsetrbuf_(const int* buffer, int* old) {
  *old = pvm_setrbuf(*buffer);
}
void pvmfbufinfo_(const int* buffer, int* bytes, int* tag, int* tid, int* info) {
  *info = pvm_bufinfo(*buffer, bytes, tag, tid);
}
void pvmfpack_(const int* type, void* data, const int* count, const int* stride, int* info) {
  *info = pack(*type, {data, *count, *stride});
}
void pvmfunpack_(const int* type, void* data, const int* count, const int* stride, int* info) {
  *info = unpack(*type, {data, *count, *stride});
}

// ---- messages ----

void pvmfsend_(const int* tid, const int* tag, int* info) {
  *info = pvm_send(*tid, *tag);
}
void pvmfmcast_(const int* count, int* tids, const int* tag, int* info) {
  *info = pvm_mcast(tids, *count, *tag);
}
void pvmfpsend_(const int* tid, const int* tag, void* data, const int* count, const int* type,
                int* info) {
  *info = pvm_psend(*tid, *tag, data, *count, *type == PVM_STR ? PVM_BYTE : *type);
}
void pvmfrecv_(const int* tid, const int* tag, int* buffer) {
  *buffer = pvm_recv(*tid, *tag);
}
void pvmfnrecv_(const int* tid, const int* tag, int* buffer) {
  *buffer = pvm_nrecv(*tid, *tag);
}
void pvmftrecv_(const int* tid, const int* tag, const int* seconds, const int* microseconds,
                int* buffer) {
  struct timeval limit = {*seconds, *microseconds};
  *buffer = pvm_trecv(*tid, *tag, *seconds < 0 ? nullptr : &limit);
}
void pvmfprobe_(const int* tid, const int* tag, int* buffer) {
  *buffer = pvm_probe(*tid, *tag);
}
void pvmfprecv_(const int* tid, const int* tag, void* data, const int* count, const int* type,
                int* from, int* with, int* bytes, int* info) {
  *info =
      pvm_precv(*tid, *tag, data, *count, *type == PVM_STR ? PVM_BYTE : *type, from, with, bytes);
}
void pvmfaddmhf_(const int* tid, const int* tag, const int* context, int (*handler)(int),
                 int* number) {
  *number = pvm_addmhf(*tid, *tag, *context, handler);
}
void pvmfdelmhf_(const int* number, int* info) {
  *info = pvm_delmhf(*number);
}

// ---- groups ----

void pvmfjoingroup_(const char* group, int* instance, Length length) {
  *instance = pvm_joingroup(Text(group, length).get());
}
void pvmflvgroup_(const char* group, int* info, Length length) {
  *info = pvm_lvgroup(Text(group, length).get());
}
void pvmfgetinst_(const char* group, const int* tid, int* instance, Length length) {
  *instance = pvm_getinst(Text(group, length).get(), *tid);
}
void pvmfgettid_(const char* group, const int* instance, int* tid, Length length) {
  *tid = pvm_gettid(Text(group, length).get(), *instance);
}
void pvmfgsize_(const char* group, int* size, Length length) {
  *size = pvm_gsize(Text(group, length).get());
}
void pvmffreezegroup_(const char* group, const int* size, int* info, Length length) {
  *info = pvm_freezegroup(Text(group, length).get(), *size);
}
void pvmfbarrier_(const char* group, const int* count, int* info, Length length) {
  *info = pvm_barrier(Text(group, length).get(), *count);
}
void pvmfbcast_(const char* group, const int* tag, int* info, Length length) {
  *info = pvm_bcast(Text(group, length).get(), *tag);
}
void pvmfscatter_(void* result, void* data, const int* count, const int* type, const int* tag,
                  const char* group, const int* root, int* info, Length length) {
  *info = pvm_scatter(result, data, *count, *type, *tag, Text(group, length).get(), *root);
}
void pvmfgather_(void* result, void* data, const int* count, const int* type, const int* tag,
                 const char* group, const int* root, int* info, Length length) {
  *info = pvm_gather(result, data, *count, *type, *tag, Text(group, length).get(), *root);
}

void pvmmax_(int* type, void* x, void* y, int* count, int* info) {
  PvmMax(type, x, y, count, info);
}
void pvmmin_(int* type, void* x, void* y, int* count, int* info) {
  PvmMin(type, x, y, count, info);
}
void pvmsum_(int* type, void* x, void* y, int* count, int* info) {
  PvmSum(type, x, y, count, info);
}
void pvmproduct_(int* type, void* x, void* y, int* count, int* info) {
  PvmProduct(type, x, y, count, info);
}

// The library has kernels for its own four functions, which it knows by their C names.
void pvmfreduce_(Function function, void* data, const int* count, const int* type, const int* tag,
                 const char* group, const int* root, int* info, Length length) {
  Function known = function;
  if (function == pvmmax_) known = PvmMax;
  if (function == pvmmin_) known = PvmMin;
  if (function == pvmsum_) known = PvmSum;
  if (function == pvmproduct_) known = PvmProduct;
  *info = pvm_reduce(known, data, *count, *type, *tag, Text(group, length).get(), *root);
}

}  // extern "C"

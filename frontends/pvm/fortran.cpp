// SPDX-License-Identifier: BSD-3-Clause
// The Fortran 77 interface: subroutines that return the result of the C function in an argument.
// Lists are returned one entry per call. Text is padded with blanks and has no final 0. Fortran
// compilers link this library, so it uses nothing of the C++ library.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti-pvm/pvm3.h>

namespace {

using Length = size_t;  // length of a CHARACTER argument, passed after all others

// A text with a final 0 and without the blanks at its end.
class Text {
 public:
  Text(const char* text, Length length) {
    while (length > 0 && text[length - 1] == ' ') --length;
    if (length >= sizeof short_) long_ = static_cast<char*>(malloc(length + 1));
    memcpy(get(), text, length);
    get()[length] = '\0';
  }
  ~Text() { free(long_); }
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;

  [[nodiscard]] char* get() { return long_ != nullptr ? long_ : short_; }

 private:
  char short_[256];
  char* long_ = nullptr;
};

void to_fortran(char* to, Length length, const char* from) {
  const size_t given = strlen(from), copied = given < length ? given : length;
  memcpy(to, from, copied);
  memset(to + copied, ' ', length - copied);
}

using Function = void (*)(int*, void*, void*, int*, int*);

using Move = int (*)(void* data, int count, int stride);

template <class T>
int call_with(int (*function)(T*, int, int), void* data, int count, int stride) {
  return function(static_cast<T*>(data), count, stride);
}
template <auto function>
int move(void* data, int count, int stride) {
  return call_with(function, data, count, stride);
}

// Types of pvmfpack have the numbers of C's data types. Text (STRING) is packed as its characters.
struct Moves {
  int type;
  Move pack, unpack;
};
constexpr Moves all_moves[] = {{PVM_STR, move<pvm_pkbyte>, move<pvm_upkbyte>},
                               {PVM_BYTE, move<pvm_pkbyte>, move<pvm_upkbyte>},
                               {PVM_SHORT, move<pvm_pkshort>, move<pvm_upkshort>},
                               {PVM_INT, move<pvm_pkint>, move<pvm_upkint>},
                               {PVM_FLOAT, move<pvm_pkfloat>, move<pvm_upkfloat>},
                               {PVM_CPLX, move<pvm_pkcplx>, move<pvm_upkcplx>},
                               {PVM_DOUBLE, move<pvm_pkdouble>, move<pvm_upkdouble>},
                               {PVM_DCPLX, move<pvm_pkdcplx>, move<pvm_upkdcplx>},
                               {PVM_LONG, move<pvm_pklong>, move<pvm_upklong>}};

int move_by(Move Moves::*way, int type, void* data, int count, int stride) {
  for (const Moves& moves : all_moves) {
    if (moves.type == type) return (moves.*way)(data, count, stride);
  }
  return PvmBadParam;
}

}  // namespace

extern "C" {

// ---- this task and its machine ----

void pvmfmytid_(int* tid) {
  *tid = pvm_mytid();
}
void pvmfexit_(int* info) {
  *info = pvm_exit();
}
void pvmfcatchout_(const int* on, int* info) {
  *info = pvm_catchout(*on != 0 ? stdout : nullptr);
}
void pvmfparent_(int* tid) {
  *tid = pvm_parent();
}
void pvmfsiblings_(int* count, const int* index, int* sibling) {
  int* tids = nullptr;
  *count = pvm_siblings(&tids);
  if (*index >= 0 && *index < *count) *sibling = tids[*index];
  if (*index >= *count || *index < -1) *count = PvmNoTask;
}
void pvmfsetopt_(const int* what, const int* value, int* old) {
  *old = pvm_setopt(*what, *value);
}
void pvmfgetopt_(const int* what, int* value) {
  *value = pvm_getopt(*what);
}
void pvmfperror_(const char* message, int* info, Length length) {
  *info = pvm_perror(Text(message, length).get());
}
void pvmftidtohost_(const int* tid, int* host) {
  *host = pvm_tidtohost(*tid);
}
void pvmfpstat_(const int* tid, int* status) {
  *status = pvm_pstat(*tid);
}
void pvmfmstat_(const char* host, int* status, Length length) {
  *status = pvm_mstat(Text(host, length).get());
}
void pvmfarchcode_(const char* architecture, int* code, Length length) {
  *code = pvm_archcode(Text(architecture, length).get());
}
void pvmfhostsync_(const int* host, int* seconds, int* microseconds, int* later,
                   int* microseconds_later, int* info) {
  struct timeval clock = {0, 0}, difference = {0, 0};
  *info = pvm_hostsync(*host, &clock, &difference);
  *seconds = static_cast<int>(clock.tv_sec);
  *microseconds = static_cast<int>(clock.tv_usec);
  *later = static_cast<int>(difference.tv_sec);
  *microseconds_later = static_cast<int>(difference.tv_usec);
}
void pvmfstartpvmd_(const char*, const int* wait, int* info, Length) {
  *info = pvm_start_pvmd(0, nullptr, *wait);
}
void pvmfhalt_(int* info) {
  *info = pvm_halt();
}
void pvmfaddhost_(const char* host, int* info, Length length) {
  Text name(host, length);
  char* names[] = {name.get()};
  const int status = pvm_addhosts(names, 1, info);
  if (status < 0) *info = status;
}
void pvmfdelhost_(const char* host, int* info, Length length) {
  Text name(host, length);
  char* names[] = {name.get()};
  const int status = pvm_delhosts(names, 1, info);
  if (status < 0) *info = status;
}
void pvmfsleep_(const int* seconds) {
  pvmsleep(*seconds);
}

// Returns one host per call. A new list begins after the last host, or if *hosts is -1.
void pvmfconfig_(int* hosts, int* architectures, int* host, char* name, char* architecture,
                 int* speed, int* info, Length name_length, Length architecture_length) {
  static struct pvmhostinfo* list = nullptr;
  static int next = 0, count = 0, kinds = 0;
  if (*hosts == -1) next = 0;
  if (next == 0) *info = pvm_config(&count, &kinds, &list);
  if (next == 0 && *info < 0) return;
  *hosts = count;
  *architectures = kinds;
  *host = list[next].hi_tid;
  *speed = list[next].hi_speed;
  to_fortran(name, name_length, list[next].hi_name);
  to_fortran(architecture, architecture_length, list[next].hi_arch);
  *info = PvmOk;
  next = next + 1 == count ? 0 : next + 1;
}

void pvmftasks_(const int* where, int* tasks, int* tid, int* parent, int* host, int* flag,
                char* name, int* info, Length length) {
  static struct pvmtaskinfo* list = nullptr;
  static int next = 0, count = 0;
  if (*tasks == -1) next = 0;
  if (next == 0) *info = pvm_tasks(*where, &count, &list);
  if (next == 0 && *info < 0) return;
  *tasks = count;
  *info = PvmOk;
  if (count == 0) return;
  *tid = list[next].ti_tid;
  *parent = list[next].ti_ptid;
  *host = list[next].ti_host;
  *flag = list[next].ti_flag;
  to_fortran(name, length, list[next].ti_a_out);
  next = next + 1 == count ? 0 : next + 1;
}

// ---- other tasks ----

void pvmfspawn_(const char* task, const int* flag, const char* where, const int* count, int* tids,
                int* started, Length task_length, Length where_length) {
  *started = pvm_spawn(Text(task, task_length).get(), nullptr, *flag,
                       Text(where, where_length).get(), *count, tids);
}
void pvmfkill_(const int* tid, int* info) {
  *info = pvm_kill(*tid);
}
void pvmfsendsig_(const int* tid, const int* signal, int* info) {
  *info = pvm_sendsig(*tid, *signal);
}
void pvmfnotify_(const int* what, const int* tag, const int* count, int* tids, int* info) {
  *info = pvm_notify(*what, *tag, *count, tids);
}

// ---- contexts and the message mailbox ----

void pvmfnewcontext_(int* context) {
  *context = pvm_newcontext();
}
void pvmfsetcontext_(const int* context, int* old) {
  *old = pvm_setcontext(*context);
}
void pvmfgetcontext_(int* context) {
  *context = pvm_getcontext();
}
void pvmffreecontext_(const int* context, int* info) {
  *info = pvm_freecontext(*context);
}
void pvmfputinfo_(const char* name, const int* buffer, const int* flags, int* index,
                  Length length) {
  *index = pvm_putinfo(Text(name, length).get(), *buffer, *flags);
}
void pvmfrecvinfo_(const char* name, const int* index, const int* flags, int* buffer,
                   Length length) {
  *buffer = pvm_recvinfo(Text(name, length).get(), *index, *flags);
}
void pvmfdelinfo_(const char* name, const int* index, const int* flags, int* info, Length length) {
  *info = pvm_delinfo(Text(name, length).get(), *index, *flags);
}

// Returns one entry per call, and PvmNotFound after the last. A new list begins afterwards, or if
// *info is -1.
void pvmfgetmboxinfo_(const char* pattern, char* name, int* classes, int* entries, int* index,
                      int* owner, int* flags, int* info, Length pattern_length,
                      Length name_length) {
  static struct pvmmboxinfo* list = nullptr;
  static int count = 0, at = 0, entry = -1;
  if (*info == -1) entry = -1;
  if (entry < 0) {
    *info = pvm_getmboxinfo(Text(pattern, pattern_length).get(), &count, &list);
    if (*info < 0) return;
    at = entry = 0;
  }
  *classes = count;
  if (at == count) {
    entry = -1;
    *info = PvmNotFound;
    return;
  }
  const struct pvmmboxinfo& one = list[at];
  to_fortran(name, name_length, one.mi_name);
  *entries = one.mi_nentries;
  *index = one.mi_indices[entry];
  *owner = one.mi_owners[entry];
  *flags = one.mi_flags[entry];
  *info = PvmOk;
  if (++entry == one.mi_nentries) {
    entry = 0;
    ++at;
  }
}

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
  *info = move_by(&Moves::pack, *type, data, *count, *stride);
}
void pvmfunpack_(const int* type, void* data, const int* count, const int* stride, int* info) {
  *info = move_by(&Moves::unpack, *type, data, *count, *stride);
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

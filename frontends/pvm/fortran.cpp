// SPDX-License-Identifier: BSD-3-Clause
// The Fortran 77 interface to tasks, hosts and the message mailbox: subroutines that return the
// result of the C function in an argument. Lists are returned one entry per call.
#include <stdio.h>
#include <tutti-pvm/pvm3.h>

#include "fortran_text.hpp"

using namespace tutti::pvm;

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

}  // extern "C"

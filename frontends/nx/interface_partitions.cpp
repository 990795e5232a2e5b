// SPDX-License-Identifier: BSD-3-Clause
// The names of NX, in C and in Fortran, for the host, for partitions of the machine, and for
// starting processes on nodes. There is one partition, the nodes of the program, which exist when
// main begins. So most of these calls fail.
#include <tutti-nx/nx.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "failure.hpp"
#include "forms.hpp"
#include "machine.hpp"
#include "nodes.hpp"

using namespace tutti::nx;

namespace {

constexpr long highest_priority = 10;

long accept_priority(long priority) {
  if (priority < 0 || priority > highest_priority)
    fail(EINVAL, "argument 'priority' is {}, but priorities are 0 to {}", priority,
         highest_priority);
  return 0;
}

void print_error(int error, const std::string& text) {
  std::fprintf(stderr, "(node %d, ptype %ld) %s: %s\n", nodes().self(), nodes().ptype(),
               text.c_str(), std::strerror(error));
}

}  // namespace

#define TUTTI_NX_REJECTED(result, name, parameters) \
  TUTTI_NX_DEFINE(result, name, parameters, reject_host_call())
// CHARACTER arguments have a length behind all others, which the calling convention lets a function
// ignore.
#define TUTTI_NX_REJECTED_FORTRAN(result, name) \
  TUTTI_NX_FORTRAN(result, name, (), reject_host_call())

extern "C" {

TUTTI_NX_DEFINE(void, killcube, (long, long), static_cast<void>(0))
TUTTI_NX_REJECTED(void, attachcube, (const char*))
TUTTI_NX_REJECTED(void, getcube, (const char*, const char*, const char*, long))
TUTTI_NX_REJECTED(void, relcube, (const char*))
TUTTI_NX_REJECTED(void, load, (const char*, long, long))
TUTTI_NX_REJECTED(void, killproc, (long, long))
TUTTI_NX_REJECTED(void, waitall, (long, long))
TUTTI_NX_REJECTED(void, waitone, (long, long, long*, long*, long*))

TUTTI_NX_REJECTED(long, nx_initve, (const char*, long, const char*, int*, char**))
TUTTI_NX_REJECTED(long, nx_initve_rect, (const char*, long, long, long, const char*, int*, char**))
TUTTI_NX_REJECTED(long, nx_initve_attr, (const char*, int*, char**, ...))
TUTTI_NX_REJECTED(long, nx_nfork, (const long*, long, long, long*))
TUTTI_NX_REJECTED(long, nx_load, (const long*, long, long, long*, const char*))
TUTTI_NX_REJECTED(long, nx_loadve, (const long*, long, long, long*, const char*, char**, char**))
TUTTI_NX_REJECTED(long, nx_waitall, (void))

TUTTI_NX_REJECTED(long, nx_mkpart, (const char*, long, long))
TUTTI_NX_REJECTED(long, nx_mkpart_rect, (const char*, long, long, long))
TUTTI_NX_REJECTED(long, nx_mkpart_map, (const char*, long, const long*, long))
TUTTI_NX_REJECTED(long, nx_mkpart_attr, (const char*, ...))
TUTTI_NX_REJECTED(long, nx_rmpart, (const char*, long, long))
TUTTI_NX_REJECTED(int, nx_pspart, (const char*, nx_pspart_t**, unsigned long*))
TUTTI_NX_REJECTED(long, nx_chpart_epl, (const char*, long))
TUTTI_NX_REJECTED(long, nx_chpart_mod, (const char*, long))
TUTTI_NX_REJECTED(long, nx_chpart_name, (const char*, const char*))
TUTTI_NX_REJECTED(long, nx_chpart_owner, (const char*, long, long))
TUTTI_NX_REJECTED(long, nx_chpart_rq, (const char*, long))
TUTTI_NX_REJECTED(long, nx_chpart_sched, (const char*, long))

TUTTI_NX_DEFINE(long, nx_app_nodes, (int, long** list, unsigned long* size), list_nodes(list, size);
                return 0)
TUTTI_NX_DEFINE(long, nx_pri, (long, long priority), return accept_priority(priority))
TUTTI_NX_DEFINE(void, nx_perror, (const char* text), const int error = errno;
                print_error(error, text == nullptr ? "" : text))

TUTTI_NX_FORTRAN(void, killcube, (const int*, const int*), static_cast<void>(0))
TUTTI_NX_REJECTED_FORTRAN(void, attachcube)
TUTTI_NX_REJECTED_FORTRAN(void, getcube)
TUTTI_NX_REJECTED_FORTRAN(void, relcube)
TUTTI_NX_REJECTED_FORTRAN(void, load)
TUTTI_NX_REJECTED_FORTRAN(void, killproc)
TUTTI_NX_REJECTED_FORTRAN(void, waitall)
TUTTI_NX_REJECTED_FORTRAN(void, waitone)
TUTTI_NX_REJECTED_FORTRAN(int, nx_initve)
TUTTI_NX_REJECTED_FORTRAN(int, nx_initve_rect)
TUTTI_NX_REJECTED_FORTRAN(int, nx_nfork)
TUTTI_NX_REJECTED_FORTRAN(int, nx_load)
TUTTI_NX_REJECTED_FORTRAN(int, nx_loadve)
TUTTI_NX_REJECTED_FORTRAN(int, nx_waitall)
TUTTI_NX_REJECTED_FORTRAN(int, nx_mkpart)
TUTTI_NX_REJECTED_FORTRAN(int, nx_mkpart_rect)
TUTTI_NX_REJECTED_FORTRAN(int, nx_mkpart_map)
TUTTI_NX_REJECTED_FORTRAN(int, nx_rmpart)
TUTTI_NX_REJECTED_FORTRAN(int, nx_chpart_epl)
TUTTI_NX_REJECTED_FORTRAN(int, nx_chpart_mod)
TUTTI_NX_REJECTED_FORTRAN(int, nx_chpart_name)
TUTTI_NX_REJECTED_FORTRAN(int, nx_chpart_owner)
TUTTI_NX_REJECTED_FORTRAN(int, nx_chpart_rq)
TUTTI_NX_REJECTED_FORTRAN(int, nx_chpart_sched)
TUTTI_NX_NUMBER(nx_pri, (const int*, const int* priority), accept_priority(*priority))
TUTTI_NX_FORTRAN(void, nx_perror, (const char* text, long length), const int error = errno;
                 print_error(error, {text, static_cast<std::size_t>(std::max(length, 0L))}))

}  // extern "C"

// SPDX-License-Identifier: BSD-3-Clause
// The names of BLACS 1.0, each with and without an underscore. All arguments are references.
// Fortran compilers append the lengths of CHARACTER arguments. The platform's calling convention
// lets a function ignore them, and C programs omit them.
#include <tutti-blacs94/tutti_blacs94.h>

#include <optional>

#include "anybody.hpp"
#include "clock.hpp"
#include "combine.hpp"
#include "errors.hpp"
#include "grids.hpp"
#include "lists.hpp"
#include "processes.hpp"
#include "state.hpp"
#include "transfer.hpp"
#include "user_combine.hpp"

namespace blacs = tutti::blacs;
using blacs::only_context;

// Defines both names of a routine whose body is `...`.
#define TUTTI_FIRST(result, name, parameters, ...) \
  TUTTI_API result name##_ parameters {            \
    __VA_ARGS__;                                   \
  }                                                \
  TUTTI_API result name parameters __attribute__((alias(#name "_")));

namespace {

// A routine sends what it does not change, but the shared code has one description of data for both
// directions.
template <class T>
blacs::Matrix matrix_of(const int* m, const int* n, const T* a, const int* lda,
                        std::optional<char> uplo = {}, char diag = 0) {
  return {*m, *n, const_cast<T*>(a), *lda, uplo, diag};
}

// Returns the value of an argument of the routines that paper 000 does not have.
int value_of(const char* routine, const char* argument, const int* address) {
  if (address == nullptr)
    blacs::fail_outside(routine, fmt::format("argument '{}' is NULL", argument));
  return *address;
}

blacs::Combine combine_of(const char* scope, const char* top, const int* rdest, const int* cdest) {
  return {scope, top, *rdest, *cdest, *rdest == -1};
}

}  // namespace

extern "C" {

TUTTI_FIRST(void, initpinfo, (int* mynum, int* nprocs),
            blacs::tell_processes("initpinfo", mynum, nprocs))
TUTTI_FIRST(void, auxsetup, (int* mynum, int* nprocs), blacs::set_up(mynum, *nprocs))
TUTTI_FIRST(void, setpvmtids, (const int* ntasks, const int* tids),
            blacs::set_pvm_tasks(value_of("setpvmtids", "NTASKS", ntasks), tids))
TUTTI_FIRST(void, blacsexit, (const int* go_on), blacs::exit_blacs(*go_on))
TUTTI_FIRST(void, freebuff, (void), blacs::free_buffers())

TUTTI_FIRST(void, blacsinit, (const int* nprow, const int* npcol), blacs::grid_init(*nprow, *npcol))
TUTTI_FIRST(void, gridmap,
            (const int* usermap, const int* ldumap, const int* nprow, const int* npcol),
            blacs::grid_map(usermap, *ldumap, *nprow, *npcol))
TUTTI_FIRST(void, gridinfo, (int* nprow, int* npcol, int* prow, int* pcol),
            blacs::grid_info(nprow, npcol, prow, pcol))
TUTTI_FIRST(int, kpnum, (const int* prow, const int* pcol), return blacs::number_of(*prow, *pcol))
TUTTI_FIRST(void, pcoord, (const int* pnum, int* prow, int* pcol),
            blacs::coordinates_of(*pnum, prow, pcol))
TUTTI_FIRST(void, barrier, (const char* scope), blacs::barrier("barrier", only_context, scope))
TUTTI_FIRST(void, scopemap, (const char* scope, const int* n, const int* list),
            blacs::map_scope("scopemap", only_context, scope, value_of("scopemap", "N", n), list))
TUTTI_FIRST(void, setbranches, (const int* branches), blacs::set_branches(*branches))

TUTTI_FIRST(void, blacsdebug, (const int* level),
            blacs::set_debug(value_of("blacsdebug", "LEVEL", level)))
TUTTI_FIRST(void, blacstiming, (const int* level),
            blacs::set_timing(value_of("blacstiming", "LEVEL", level)))

TUTTI_FIRST(void, shift_range,
            (const int* minsnd, const int* maxsnd, const int* minbs, const int* maxbs),
            blacs::shift_range({*minsnd, *maxsnd}, {*minbs, *maxbs}))
TUTTI_FIRST(void, idranges, (int* minsnd, int* maxsnd, int* minbs, int* maxbs),
            const blacs::IdRanges ranges = blacs::id_ranges();
            *minsnd = ranges.sends.first; *maxsnd = ranges.sends.last; *minbs = ranges.scoped.first;
            *maxbs = ranges.scoped.last)
TUTTI_FIRST(int, ksendid, (const int* rsrc, const int* csrc, const int* rdest, const int* cdest),
            return blacs::take_send_id({*rsrc, *csrc}, {*rdest, *cdest}))
TUTTI_FIRST(int, krecvid, (const int* rsrc, const int* csrc),
            return blacs::take_receive_id({*rsrc, *csrc}))
TUTTI_FIRST(int, kbsid, (const char* scope), return blacs::take_broadcast_send_id(scope))
TUTTI_FIRST(int, kbrid, (const char* scope, const int* rsrc, const int* csrc),
            return blacs::take_broadcast_receive_id(scope, {*rsrc, *csrc}))

TUTTI_FIRST(double, dwalltime00, (void), return blacs::wall_time())
TUTTI_FIRST(double, dcputime00, (void), return blacs::processor_time())

#define TUTTI_FIRST_MESSAGES(v, T, TYPE)                                                       \
  TUTTI_FIRST(                                                                                 \
      void, v##gesd2d,                                                                         \
      (const int* m, const int* n, const T* a, const int* lda, const int* rdest,               \
       const int* cdest),                                                                      \
      blacs::send({#v "gesd2d", TYPE}, only_context, matrix_of(m, n, a, lda), *rdest, *cdest)) \
  TUTTI_FIRST(void, v##gerv2d,                                                                 \
              (const int* m, const int* n, T* a, const int* lda, int* rsrc, int* csrc),        \
              blacs::receive_by_reference({#v "gerv2d", TYPE}, only_context,                   \
                                          matrix_of(m, n, a, lda), rsrc, csrc))                \
  TUTTI_FIRST(void, v##trsd2d,                                                                 \
              (const char* uplo, const char* diag, const int* m, const int* n, const T* a,     \
               const int* lda, const int* rdest, const int* cdest),                            \
              blacs::send({#v "trsd2d", TYPE}, only_context,                                   \
                          matrix_of(m, n, a, lda, *uplo, *diag), *rdest, *cdest))              \
  TUTTI_FIRST(void, v##trrv2d,                                                                 \
              (const char* uplo, const char* diag, const int* m, const int* n, T* a,           \
               const int* lda, int* rsrc, int* csrc),                                          \
              blacs::receive_by_reference({#v "trrv2d", TYPE}, only_context,                   \
                                          matrix_of(m, n, a, lda, *uplo, *diag), rsrc, csrc))

#define TUTTI_FIRST_BROADCASTS(v, T, TYPE)                                                   \
  TUTTI_FIRST(void, v##gebs2d,                                                               \
              (const char* scope, const char* top, const int* m, const int* n, const T* a,   \
               const int* lda),                                                              \
              blacs::broadcast_send({#v "gebs2d", TYPE}, only_context, scope, top,           \
                                    matrix_of(m, n, a, lda)))                                \
  TUTTI_FIRST(void, v##gebr2d,                                                               \
              (const char* scope, const char* top, const int* m, const int* n, T* a,         \
               const int* lda, const int* rsrc, const int* csrc),                            \
              blacs::broadcast_receive({#v "gebr2d", TYPE}, only_context, scope, top,        \
                                       matrix_of(m, n, a, lda), *rsrc, *csrc))               \
  TUTTI_FIRST(void, v##trbs2d,                                                               \
              (const char* scope, const char* top, const char* uplo, const char* diag,       \
               const int* m, const int* n, const T* a, const int* lda),                      \
              blacs::broadcast_send({#v "trbs2d", TYPE}, only_context, scope, top,           \
                                    matrix_of(m, n, a, lda, *uplo, *diag)))                  \
  TUTTI_FIRST(                                                                               \
      void, v##trbr2d,                                                                       \
      (const char* scope, const char* top, const char* uplo, const char* diag, const int* m, \
       const int* n, T* a, const int* lda, const int* rsrc, const int* csrc),                \
      blacs::broadcast_receive({#v "trbr2d", TYPE}, only_context, scope, top,                \
                               matrix_of(m, n, a, lda, *uplo, *diag), *rsrc, *csrc))

#define TUTTI_FIRST_COMBINES(v, T, TYPE)                                                           \
  TUTTI_FIRST(void, v##gsum2d,                                                                     \
              (const char* scope, const char* top, const int* m, const int* n, T* a,               \
               const int* lda, const int* rdest, const int* cdest),                                \
              blacs::sum({#v "gsum2d", TYPE}, only_context, matrix_of(m, n, a, lda),               \
                         combine_of(scope, top, rdest, cdest)))                                    \
  TUTTI_FIRST(                                                                                     \
      void, v##gmax2d,                                                                             \
      (const char* scope, const char* top, const int* m, const int* n, T* a, const int* lda,       \
       int* ra, int* ca, const int* ldia, const int* rdest, const int* cdest),                     \
      blacs::largest({#v "gmax2d", TYPE}, only_context, matrix_of(m, n, a, lda), {ra, ca, *ldia},  \
                     combine_of(scope, top, rdest, cdest)))                                        \
  TUTTI_FIRST(                                                                                     \
      void, v##gmin2d,                                                                             \
      (const char* scope, const char* top, const int* m, const int* n, T* a, const int* lda,       \
       int* ra, int* ca, const int* ldia, const int* rdest, const int* cdest),                     \
      blacs::smallest({#v "gmin2d", TYPE}, only_context, matrix_of(m, n, a, lda), {ra, ca, *ldia}, \
                      combine_of(scope, top, rdest, cdest)))

// The functions of the user have the same arguments in C and in Fortran.
#define TUTTI_FIRST_USER_COMBINE(v, T, TYPE)                                                     \
  TUTTI_FIRST(void, v##tuop2d,                                                                   \
              (const char* scope, const char* top, const char* uplo, const char* diag,           \
               const int* m, const int* n, T* a, const int* lda, void (*init)(const int*, T*),   \
               void (*op)(const int*, T*, T*), void (*finish)(const int*, T*), const int* rdest, \
               const int* cdest),                                                                \
              blacs::combine_by_user({#v "tuop2d", TYPE}, only_context,                          \
                                     matrix_of(m, n, a, lda, *uplo, *diag),                      \
                                     combine_of(scope, top, rdest, cdest),                       \
                                     blacs::functions_by_reference(init, op, finish)))

#define TUTTI_FIRST_TYPE(v, T, TYPE) \
  TUTTI_FIRST_MESSAGES(v, T, TYPE)   \
  TUTTI_FIRST_BROADCASTS(v, T, TYPE) \
  TUTTI_FIRST_COMBINES(v, T, TYPE)   \
  TUTTI_FIRST_USER_COMBINE(v, T, TYPE)

TUTTI_FIRST_TYPE(i, int, TUTTI_INT32)
TUTTI_FIRST_TYPE(s, float, TUTTI_FLOAT)
TUTTI_FIRST_TYPE(d, double, TUTTI_DOUBLE)
TUTTI_FIRST_TYPE(c, float, TUTTI_COMPLEX_FLOAT)
TUTTI_FIRST_TYPE(z, double, TUTTI_COMPLEX_DOUBLE)

}  // extern "C"

// SPDX-License-Identifier: BSD-3-Clause
// The Fortran names of the BLACS, with all arguments by reference. Compilers append the lengths of
// CHARACTER arguments. The platform's calling convention lets a function ignore them, and C
// programs omit them.
#include "anybody.hpp"
#include "clock.hpp"
#include "combine_arguments.hpp"
#include "grids.hpp"
#include "lists.hpp"
#include "processes.hpp"
#include "transfer.hpp"
#include "user_combine.hpp"

namespace blacs = tutti::blacs;
using blacs::Language;

extern "C" {

TUTTI_API void blacs_pinfo_(int* mypnum, int* nprocs) {
  blacs::pinfo(mypnum, nprocs);
}
TUTTI_API void blacs_setup_(int* mypnum, int* nprocs) {
  blacs::setup(mypnum, nprocs);
}
TUTTI_API void setpvmtids_(const int* ntasks, const int* tids) {
  blacs::set_pvm_tasks(*ntasks, tids);
}
TUTTI_API void blacs_exit_(const int* notdone) {
  blacs::exit_blacs(*notdone);
}
TUTTI_API void blacs_abort_(const int* context, const int* error) {
  blacs::abort_job(*context, *error);
}

TUTTI_API void blacs_gridinit_(int* context, const char* order, const int* nprow,
                               const int* npcol) {
  blacs::grid_init(Language::fortran, context, order, *nprow, *npcol);
}
TUTTI_API void blacs_gridmap_(int* context, const int* usermap, const int* ldumap, const int* nprow,
                              const int* npcol) {
  blacs::grid_map(Language::fortran, context, usermap, *ldumap, *nprow, *npcol);
}
TUTTI_API void blacs_gridinfo_(const int* context, int* nprow, int* npcol, int* myrow, int* mycol) {
  blacs::grid_info(*context, nprow, npcol, myrow, mycol);
}
TUTTI_API void blacs_gridexit_(const int* context) {
  blacs::grid_exit(*context);
}
TUTTI_API int blacs_pnum_(const int* context, const int* prow, const int* pcol) {
  return blacs::number_of(*context, *prow, *pcol);
}
TUTTI_API void blacs_pcoord_(const int* context, const int* pnum, int* prow, int* pcol) {
  blacs::coordinates_of(*context, *pnum, prow, pcol);
}
TUTTI_API void blacs_barrier_(const int* context, const char* scope) {
  blacs::barrier("blacs_barrier", *context, scope);
}
TUTTI_API void blacs_scopemap_(const int* context, const char* scope, const int* n,
                               const int* list) {
  blacs::map_scope("blacs_scopemap", *context, scope, *n, list);
}
TUTTI_API void blacs_freebuff_(const int* context, const int* wait) {
  blacs::free_buffers(*context, *wait);
}
TUTTI_API void blacs_get_(const int* context, const int* what, int* value) {
  blacs::get(Language::fortran, *context, *what, value);
}
TUTTI_API void blacs_set_(const int* context, const int* what, const int* value) {
  blacs::set(*context, *what, value);
}

// Fortran holds a communicator of MPI as a number, and the system handle is that number.
TUTTI_API int blacs2sys_handle_(const int* handle) {
  return *handle;
}
TUTTI_API int sys2blacs_handle_(const int* handle) {
  return *handle;
}
TUTTI_API void free_blacs_system_handle_(const int* handle) {
  blacs::free_system_handle(Language::fortran, *handle);
}

TUTTI_API double dwalltime00_() {
  return blacs::wall_time();
}
TUTTI_API double dcputime00_() {
  return blacs::not_measured;
}
TUTTI_API int ksendid_(const int*, const int*, const int*) {
  return 0;
}
TUTTI_API int krecvid_(const int*, const int*, const int*) {
  return 0;
}
TUTTI_API int kbsid_(const int*, const char*) {
  return 0;
}
TUTTI_API int kbrid_(const int*, const char*, const int*, const int*) {
  return 0;
}

#define TUTTI_BLACS_FORTRAN(v, T, TYPE)                                                            \
  TUTTI_API void v##gesd2d_(const int* context, const int* m, const int* n, T* a, const int* lda,  \
                            const int* rdest, const int* cdest) {                                  \
    blacs::send({#v "gesd2d", TYPE}, *context, {*m, *n, a, *lda}, *rdest, *cdest);                 \
  }                                                                                                \
  TUTTI_API void v##gerv2d_(const int* context, const int* m, const int* n, T* a, const int* lda,  \
                            int* rsrc, int* csrc) {                                                \
    blacs::receive_by_reference({#v "gerv2d", TYPE}, *context, {*m, *n, a, *lda}, rsrc, csrc);     \
  }                                                                                                \
  TUTTI_API void v##gera2d_(const int* context, const int* m, const int* n, T* a, const int* lda,  \
                            int* rsrc, int* csrc) {                                                \
    blacs::receive_from_anybody({#v "gera2d", TYPE}, *context, {*m, *n, a, *lda}, rsrc, csrc);     \
  }                                                                                                \
  TUTTI_API void v##trsd2d_(const int* context, const char* uplo, const char* diag, const int* m,  \
                            const int* n, T* a, const int* lda, const int* rdest,                  \
                            const int* cdest) {                                                    \
    blacs::send({#v "trsd2d", TYPE}, *context, {*m, *n, a, *lda, *uplo, *diag}, *rdest, *cdest);   \
  }                                                                                                \
  TUTTI_API void v##trrv2d_(const int* context, const char* uplo, const char* diag, const int* m,  \
                            const int* n, T* a, const int* lda, int* rsrc, int* csrc) {            \
    blacs::receive_by_reference({#v "trrv2d", TYPE}, *context, {*m, *n, a, *lda, *uplo, *diag},    \
                                rsrc, csrc);                                                       \
  }                                                                                                \
  TUTTI_API void v##trra2d_(const int* context, const char* uplo, const char* diag, const int* m,  \
                            const int* n, T* a, const int* lda, int* rsrc, int* csrc) {            \
    blacs::receive_from_anybody({#v "trra2d", TYPE}, *context, {*m, *n, a, *lda, *uplo, *diag},    \
                                rsrc, csrc);                                                       \
  }                                                                                                \
  TUTTI_API void v##gebs2d_(const int* context, const char* scope, const char* top, const int* m,  \
                            const int* n, T* a, const int* lda) {                                  \
    blacs::broadcast_send({#v "gebs2d", TYPE}, *context, scope, top, {*m, *n, a, *lda});           \
  }                                                                                                \
  TUTTI_API void v##gebr2d_(const int* context, const char* scope, const char* top, const int* m,  \
                            const int* n, T* a, const int* lda, const int* rsrc,                   \
                            const int* csrc) {                                                     \
    blacs::broadcast_receive({#v "gebr2d", TYPE}, *context, scope, top, {*m, *n, a, *lda}, *rsrc,  \
                             *csrc);                                                               \
  }                                                                                                \
  TUTTI_API void v##trbs2d_(const int* context, const char* scope, const char* top,                \
                            const char* uplo, const char* diag, const int* m, const int* n, T* a,  \
                            const int* lda) {                                                      \
    blacs::broadcast_send({#v "trbs2d", TYPE}, *context, scope, top,                               \
                          {*m, *n, a, *lda, *uplo, *diag});                                        \
  }                                                                                                \
  TUTTI_API void v##trbr2d_(const int* context, const char* scope, const char* top,                \
                            const char* uplo, const char* diag, const int* m, const int* n, T* a,  \
                            const int* lda, const int* rsrc, const int* csrc) {                    \
    blacs::broadcast_receive({#v "trbr2d", TYPE}, *context, scope, top,                            \
                             {*m, *n, a, *lda, *uplo, *diag}, *rsrc, *csrc);                       \
  }                                                                                                \
  TUTTI_API void v##gsum2d_(const int* context, const char* scope, const char* top, const int* m,  \
                            const int* n, T* a, const int* lda, const int* rdest,                  \
                            const int* cdest) {                                                    \
    blacs::sum({#v "gsum2d", TYPE}, *context, {*m, *n, a, *lda},                                   \
               blacs::combine_of(scope, top, *rdest, *cdest));                                     \
  }                                                                                                \
  TUTTI_API void v##gamx2d_(const int* context, const char* scope, const char* top, const int* m,  \
                            const int* n, T* a, const int* lda, int* ra, int* ca, const int* ldia, \
                            const int* rdest, const int* cdest) {                                  \
    blacs::largest({#v "gamx2d", TYPE}, *context, {*m, *n, a, *lda},                               \
                   blacs::places_of(ra, ca, *ldia),                                                \
                   blacs::combine_of(scope, top, *rdest, *cdest));                                 \
  }                                                                                                \
  TUTTI_API void v##gamn2d_(const int* context, const char* scope, const char* top, const int* m,  \
                            const int* n, T* a, const int* lda, int* ra, int* ca, const int* ldia, \
                            const int* rdest, const int* cdest) {                                  \
    blacs::smallest({#v "gamn2d", TYPE}, *context, {*m, *n, a, *lda},                              \
                    blacs::places_of(ra, ca, *ldia),                                               \
                    blacs::combine_of(scope, top, *rdest, *cdest));                                \
  }                                                                                                \
  TUTTI_API void v##tuop2d_(const int* context, const char* scope, const char* top,                \
                            const char* uplo, const char* diag, const int* m, const int* n, T* a,  \
                            const int* lda, void (*init)(int* n, T* x),                            \
                            void (*op)(int* n, T* x, T* y), void (*finish)(int* n, T* x),          \
                            const int* rdest, const int* cdest) {                                  \
    blacs::combine_by_user({#v "tuop2d", TYPE}, *context, {*m, *n, a, *lda, *uplo, *diag},         \
                           blacs::combine_of(scope, top, *rdest, *cdest),                          \
                           blacs::functions_by_reference(init, op, finish));                       \
  }

TUTTI_BLACS_FORTRAN(i, int, TUTTI_INT32)
TUTTI_BLACS_FORTRAN(s, float, TUTTI_FLOAT)
TUTTI_BLACS_FORTRAN(d, double, TUTTI_DOUBLE)
TUTTI_BLACS_FORTRAN(c, float, TUTTI_COMPLEX_FLOAT)
TUTTI_BLACS_FORTRAN(z, double, TUTTI_COMPLEX_DOUBLE)

}  // extern "C"

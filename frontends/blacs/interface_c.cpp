// SPDX-License-Identifier: BSD-3-Clause
// The C names of the BLACS, with scalars by value.
#include <tutti-blacs/tutti_blacs.h>

#include <string>

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

namespace {

// Returns the C name of the routine that receives from anybody: "Cdgera2d" for "dgerv2d".
std::string name_for_anybody(std::string routine) {
  const std::size_t verb = routine.find("rv");
  return "C" + routine.replace(verb, 2, "ra");
}

// RSRC and CSRC are values, in which no source can come back, so -1 is refused.
void receive_by_value(const blacs::Routine& routine, int context, const blacs::Matrix& matrix,
                      int rsrc, int csrc) {
  if (rsrc == blacs::anybody) {
    blacs::fail({routine.name, context},
                "argument 'RSRC' is -1; {} receives from anybody and tells who has sent",
                name_for_anybody(routine.name));
  }
  blacs::receive(routine, context, matrix, rsrc, csrc);
}

// Returns the letter of an argument UPLO or DIAG.
char letter(const char* routine, int context, const char* argument, const char* text) {
  if (text == nullptr) blacs::require({routine, context}, argument, text);
  return *text;
}

}  // namespace

extern "C" {

void Cblacs_pinfo(int* mypnum, int* nprocs) {
  blacs::pinfo(mypnum, nprocs);
}
void Cblacs_setup(int* mypnum, int* nprocs) {
  blacs::setup(mypnum, nprocs);
}
void Csetpvmtids(int ntasks, int* tids) {
  blacs::set_pvm_tasks(ntasks, tids);
}
void Cblacs_exit(int notdone) {
  blacs::exit_blacs(notdone);
}
void Cblacs_abort(int context, int error) {
  blacs::abort_job(context, error);
}

void Cblacs_gridinit(int* context, char* order, int nprow, int npcol) {
  blacs::grid_init(Language::c, context, order, nprow, npcol);
}
void Cblacs_gridmap(int* context, int* usermap, int ldumap, int nprow, int npcol) {
  blacs::grid_map(Language::c, context, usermap, ldumap, nprow, npcol);
}
void Cblacs_gridinfo(int context, int* nprow, int* npcol, int* myrow, int* mycol) {
  blacs::grid_info(context, nprow, npcol, myrow, mycol);
}
void Cblacs_gridexit(int context) {
  blacs::grid_exit(context);
}
int Cblacs_pnum(int context, int prow, int pcol) {
  return blacs::number_of(context, prow, pcol);
}
void Cblacs_pcoord(int context, int pnum, int* prow, int* pcol) {
  blacs::coordinates_of(context, pnum, prow, pcol);
}
void Cblacs_barrier(int context, char* scope) {
  blacs::barrier("blacs_barrier", context, scope);
}
void Cblacs_scopemap(int context, char* scope, int n, int* list) {
  blacs::map_scope("blacs_scopemap", context, scope, n, list);
}
void Cblacs_freebuff(int context, int wait) {
  blacs::free_buffers(context, wait);
}
void Cblacs_get(int context, int what, int* value) {
  blacs::get(Language::c, context, what, value);
}
void Cblacs_set(int context, int what, int* value) {
  blacs::set(context, what, value);
}

void Cfree_blacs_system_handle(int handle) {
  blacs::free_system_handle(Language::c, handle);
}

double Cdwalltime00(void) {
  return blacs::wall_time();
}
double Cdcputime00(void) {
  return blacs::not_measured;
}
int Cksendid(int, int, int) {
  return 0;
}
int Ckrecvid(int, int, int) {
  return 0;
}
int Ckbsid(int, char*) {
  return 0;
}
int Ckbrid(int, char*, int, int) {
  return 0;
}

#define TUTTI_BLACS_C(v, T, TYPE)                                                                 \
  void C##v##gesd2d(int context, int m, int n, T* a, int lda, int rdest, int cdest) {             \
    blacs::send({#v "gesd2d", TYPE}, context, {m, n, a, lda}, rdest, cdest);                      \
  }                                                                                               \
  void C##v##gerv2d(int context, int m, int n, T* a, int lda, int rsrc, int csrc) {               \
    receive_by_value({#v "gerv2d", TYPE}, context, {m, n, a, lda}, rsrc, csrc);                   \
  }                                                                                               \
  void C##v##gera2d(int context, int m, int n, T* a, int lda, int* rsrc, int* csrc) {             \
    blacs::receive_from_anybody({#v "gera2d", TYPE}, context, {m, n, a, lda}, rsrc, csrc);        \
  }                                                                                               \
  void C##v##trsd2d(int context, char* uplo, char* diag, int m, int n, T* a, int lda, int rdest,  \
                    int cdest) {                                                                  \
    blacs::send({#v "trsd2d", TYPE}, context,                                                     \
                {m, n, a, lda, letter(#v "trsd2d", context, "UPLO", uplo),                        \
                 letter(#v "trsd2d", context, "DIAG", diag)},                                     \
                rdest, cdest);                                                                    \
  }                                                                                               \
  void C##v##trrv2d(int context, char* uplo, char* diag, int m, int n, T* a, int lda, int rsrc,   \
                    int csrc) {                                                                   \
    receive_by_value({#v "trrv2d", TYPE}, context,                                                \
                     {m, n, a, lda, letter(#v "trrv2d", context, "UPLO", uplo),                   \
                      letter(#v "trrv2d", context, "DIAG", diag)},                                \
                     rsrc, csrc);                                                                 \
  }                                                                                               \
  void C##v##trra2d(int context, char* uplo, char* diag, int m, int n, T* a, int lda, int* rsrc,  \
                    int* csrc) {                                                                  \
    blacs::receive_from_anybody({#v "trra2d", TYPE}, context,                                     \
                                {m, n, a, lda, letter(#v "trra2d", context, "UPLO", uplo),        \
                                 letter(#v "trra2d", context, "DIAG", diag)},                     \
                                rsrc, csrc);                                                      \
  }                                                                                               \
  void C##v##gebs2d(int context, char* scope, char* top, int m, int n, T* a, int lda) {           \
    blacs::broadcast_send({#v "gebs2d", TYPE}, context, scope, top, {m, n, a, lda});              \
  }                                                                                               \
  void C##v##gebr2d(int context, char* scope, char* top, int m, int n, T* a, int lda, int rsrc,   \
                    int csrc) {                                                                   \
    blacs::broadcast_receive({#v "gebr2d", TYPE}, context, scope, top, {m, n, a, lda}, rsrc,      \
                             csrc);                                                               \
  }                                                                                               \
  void C##v##trbs2d(int context, char* scope, char* top, char* uplo, char* diag, int m, int n,    \
                    T* a, int lda) {                                                              \
    blacs::broadcast_send({#v "trbs2d", TYPE}, context, scope, top,                               \
                          {m, n, a, lda, letter(#v "trbs2d", context, "UPLO", uplo),              \
                           letter(#v "trbs2d", context, "DIAG", diag)});                          \
  }                                                                                               \
  void C##v##trbr2d(int context, char* scope, char* top, char* uplo, char* diag, int m, int n,    \
                    T* a, int lda, int rsrc, int csrc) {                                          \
    blacs::broadcast_receive({#v "trbr2d", TYPE}, context, scope, top,                            \
                             {m, n, a, lda, letter(#v "trbr2d", context, "UPLO", uplo),           \
                              letter(#v "trbr2d", context, "DIAG", diag)},                        \
                             rsrc, csrc);                                                         \
  }                                                                                               \
  void C##v##gsum2d(int context, char* scope, char* top, int m, int n, T* a, int lda, int rdest,  \
                    int cdest) {                                                                  \
    blacs::sum({#v "gsum2d", TYPE}, context, {m, n, a, lda},                                      \
               blacs::combine_of(scope, top, rdest, cdest));                                      \
  }                                                                                               \
  void C##v##gamx2d(int context, char* scope, char* top, int m, int n, T* a, int lda, int* ra,    \
                    int* ca, int ldia, int rdest, int cdest) {                                    \
    blacs::largest({#v "gamx2d", TYPE}, context, {m, n, a, lda}, blacs::places_of(ra, ca, ldia),  \
                   blacs::combine_of(scope, top, rdest, cdest));                                  \
  }                                                                                               \
  void C##v##gamn2d(int context, char* scope, char* top, int m, int n, T* a, int lda, int* ra,    \
                    int* ca, int ldia, int rdest, int cdest) {                                    \
    blacs::smallest({#v "gamn2d", TYPE}, context, {m, n, a, lda}, blacs::places_of(ra, ca, ldia), \
                    blacs::combine_of(scope, top, rdest, cdest));                                 \
  }                                                                                               \
  void C##v##tuop2d(int context, char* scope, char* top, char* uplo, char* diag, int m, int n,    \
                    T* a, int lda, void (*init)(int n, T* x), void (*op)(int n, T* x, T* y),      \
                    void (*finish)(int n, T* x), int rdest, int cdest) {                          \
    blacs::combine_by_user({#v "tuop2d", TYPE}, context,                                          \
                           {m, n, a, lda, letter(#v "tuop2d", context, "UPLO", uplo),             \
                            letter(#v "tuop2d", context, "DIAG", diag)},                          \
                           blacs::combine_of(scope, top, rdest, cdest),                           \
                           blacs::functions_by_value(init, op, finish));                          \
  }

TUTTI_BLACS_C(i, int, TUTTI_INT32)
TUTTI_BLACS_C(s, float, TUTTI_FLOAT)
TUTTI_BLACS_C(d, double, TUTTI_DOUBLE)
TUTTI_BLACS_C(c, float, TUTTI_COMPLEX_FLOAT)
TUTTI_BLACS_C(z, double, TUTTI_COMPLEX_DOUBLE)

}  // extern "C"

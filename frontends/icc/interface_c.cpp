// SPDX-License-Identifier: BSD-3-Clause
// The C names of the simple interface.
#include "simple.hpp"
#include "state.hpp"

using namespace tutti;

extern "C" {

void iCC_initialize(void) {
  icc::initialize("iCC_initialize");
}
void iCC_work_init(unsigned long) {
  icc::initialize("iCC_work_init");
}
void iCC_gsync(void) {
  icc::sync("iCC_gsync");
}
void iCC_bcast(void* x, long bytes, long root) {
  icc::broadcast("iCC_bcast", {x, bytes, TUTTI_BYTE}, root);
}
void iCC_scatter(void* x, long* xlens, void* y, long root) {
  icc::scatter("iCC_scatter", x, icc::lengths_of("iCC_scatter", "xlens", xlens), y, root);
}
void iCC_gather(void* x, long* xlens, void* y, long root) {
  icc::gather("iCC_gather", x, icc::lengths_of("iCC_gather", "xlens", xlens), y, root);
}
void iCC_gcolx(void* x, long* xlens, void* y) {
  icc::collect("iCC_gcolx", x, icc::lengths_of("iCC_gcolx", "xlens", xlens), y);
}
void iCC_gcol(void* x, long xlen, void* y, long ylen, long* ncnt) {
  const long filled = icc::collect_unknown("iCC_gcol", x, xlen, y, ylen);
  if (ncnt != nullptr) *ncnt = filled;
}
void iCC_gopf(void* x, long xlen, void* work, iCC_g_Function f) {
  icc::combine_by("iCC_gopf", {x, xlen, TUTTI_BYTE}, work, f);
}

// The work space of the program is not needed: operands are combined where they arrive.
#define TUTTI_ICC_COMBINE(name, T, type, op)              \
  void iCC_g##name(T* x, long n, T*) {                    \
    icc::combine_to_all("iCC_g" #name, {x, n, type}, op); \
  }
#define TUTTI_ICC_COMBINES(name, T, type, op)                                          \
  TUTTI_ICC_COMBINE(name, T, type, op)                                                 \
  void iCC_g##name##_one(T* x, long n, T*, long root) {                                \
    icc::combine_to_one("iCC_g" #name "_one", {x, n, type}, op, root);                 \
  }                                                                                    \
  void iCC_g##name##_dist(T* x, long* ns, T* y) {                                      \
    icc::distributed_combine("iCC_g" #name "_dist", {x, 0, type},                      \
                             icc::lengths_of("iCC_g" #name "_dist", "ns", ns), y, op); \
  }
#define TUTTI_ICC_INTEGER long
#define TUTTI_ICC_INTEGER_TYPE TUTTI_INT64
#include "combines.def"

}  // extern "C"

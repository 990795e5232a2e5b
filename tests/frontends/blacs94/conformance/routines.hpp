// SPDX-License-Identifier: BSD-3-Clause
// Names of BLACS 1.0, without or with an underscore, for the conformance driver (names.hpp). Its
// routines have no context.
#pragma once

#include <tutti-blacs94/tutti_blacs94.h>

#include <cstdlib>

#define TUTTI_EITHER(name, ...) return by == Interface::c ? name(__VA_ARGS__) : name##_(__VA_ARGS__)

// S is the element type of the prototypes, T the type with which the tests compute.
#define TUTTI_NAMES(v, T, S)                                                                       \
  template <>                                                                                      \
  struct Names<T> {                                                                                \
    static constexpr char letter = #v[0];                                                          \
    static S* raw(T* a) { return reinterpret_cast<S*>(a); }                                        \
    static void send(Interface by, int, const Block<T>& b, Place to) {                             \
      const char *u = &b.shape.uplo, *d = &b.shape.diag;                                           \
      if (*u == 0) TUTTI_EITHER(v##gesd2d, &b.m, &b.n, raw(b.a), &b.lda, &to.row, &to.column);     \
      TUTTI_EITHER(v##trsd2d, u, d, &b.m, &b.n, raw(b.a), &b.lda, &to.row, &to.column);            \
    }                                                                                              \
    static void receive(Interface by, int, const Block<T>& b, Place from) {                        \
      const char *u = &b.shape.uplo, *d = &b.shape.diag;                                           \
      if (*u == 0) TUTTI_EITHER(v##gerv2d, &b.m, &b.n, raw(b.a), &b.lda, &from.row, &from.column); \
      TUTTI_EITHER(v##trrv2d, u, d, &b.m, &b.n, raw(b.a), &b.lda, &from.row, &from.column);        \
    }                                                                                              \
    static void broadcast(Interface by, int, How how, const Block<T>& b) {                         \
      const char *s = &how.scope, *t = &how.top, *u = &b.shape.uplo, *d = &b.shape.diag;           \
      if (*u == 0) TUTTI_EITHER(v##gebs2d, s, t, &b.m, &b.n, raw(b.a), &b.lda);                    \
      TUTTI_EITHER(v##trbs2d, s, t, u, d, &b.m, &b.n, raw(b.a), &b.lda);                           \
    }                                                                                              \
    static void take(Interface by, int, How how, const Block<T>& b, Place from) {                  \
      const char *s = &how.scope, *t = &how.top, *u = &b.shape.uplo, *d = &b.shape.diag;           \
      if (*u == 0)                                                                                 \
        TUTTI_EITHER(v##gebr2d, s, t, &b.m, &b.n, raw(b.a), &b.lda, &from.row, &from.column);      \
      TUTTI_EITHER(v##trbr2d, s, t, u, d, &b.m, &b.n, raw(b.a), &b.lda, &from.row, &from.column);  \
    }                                                                                              \
    static void sum(Interface by, int, How how, const Block<T>& b, Place to) {                     \
      TUTTI_EITHER(v##gsum2d, &how.scope, &how.top, &b.m, &b.n, raw(b.a), &b.lda, &to.row,         \
                   &to.column);                                                                    \
    }                                                                                              \
    static void largest(Interface by, int, How how, const Block<T>& b, const Locations& l,         \
                        Place to) {                                                                \
      TUTTI_EITHER(v##gmax2d, &how.scope, &how.top, &b.m, &b.n, raw(b.a), &b.lda, l.row, l.column, \
                   &l.ld, &to.row, &to.column);                                                    \
    }                                                                                              \
    static void smallest(Interface by, int, How how, const Block<T>& b, const Locations& l,        \
                         Place to) {                                                               \
      TUTTI_EITHER(v##gmin2d, &how.scope, &how.top, &b.m, &b.n, raw(b.a), &b.lda, l.row, l.column, \
                   &l.ld, &to.row, &to.column);                                                    \
    }                                                                                              \
  };

// Calls a macro with the letter of each type, the type with which the tests compute, and the
// element type of the prototypes.
#define TUTTI_FOR_EACH_TYPE(MACRO)     \
  MACRO(i, int, int)                   \
  MACRO(s, float, float)               \
  MACRO(d, double, double)             \
  MACRO(c, std::complex<float>, float) \
  MACRO(z, std::complex<double>, double)

namespace conformance {

TUTTI_FOR_EACH_TYPE(TUTTI_NAMES)

inline constexpr char broadcast_topologies[] = {'I', 'D', 'S', 'M', 'H', 'F', 'T', '1',
                                                '2', '3', '4', '5', '6', '7', '8', '9'};
inline constexpr char combine_topologies[] = {'H', 'F', 'T', '1', '2', '3',
                                              '4', '5', '6', '7', '8', '9'};
inline constexpr char long_combine_topologies[] = {'T', '1', 'H', 'F'};
inline constexpr Op ops[] = {Op::sum, Op::largest, Op::smallest};

}  // namespace conformance

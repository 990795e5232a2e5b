// SPDX-License-Identifier: BSD-3-Clause
// Names of BLACS 1.1 through the C or the Fortran interface (names.hpp).
#pragma once

#include <tutti-blacs/tutti_blacs.h>

#define TUTTI_FORTRAN_PROTOTYPES(v, S)                                                             \
  extern "C" {                                                                                     \
  void v##gesd2d_(const int*, const int*, const int*, S*, const int*, const int*, const int*);     \
  void v##gerv2d_(const int*, const int*, const int*, S*, const int*, int*, int*);                 \
  void v##trsd2d_(const int*, const char*, const char*, const int*, const int*, S*, const int*,    \
                  const int*, const int*, std::size_t, std::size_t);                               \
  void v##trrv2d_(const int*, const char*, const char*, const int*, const int*, S*, const int*,    \
                  int*, int*, std::size_t, std::size_t);                                           \
  void v##gebs2d_(const int*, const char*, const char*, const int*, const int*, S*, const int*,    \
                  std::size_t, std::size_t);                                                       \
  void v##gebr2d_(const int*, const char*, const char*, const int*, const int*, S*, const int*,    \
                  const int*, const int*, std::size_t, std::size_t);                               \
  void v##trbs2d_(const int*, const char*, const char*, const char*, const char*, const int*,      \
                  const int*, S*, const int*, std::size_t, std::size_t, std::size_t, std::size_t); \
  void v##trbr2d_(const int*, const char*, const char*, const char*, const char*, const int*,      \
                  const int*, S*, const int*, const int*, const int*, std::size_t, std::size_t,    \
                  std::size_t, std::size_t);                                                       \
  void v##gsum2d_(const int*, const char*, const char*, const int*, const int*, S*, const int*,    \
                  const int*, const int*, std::size_t, std::size_t);                               \
  void v##gamx2d_(const int*, const char*, const char*, const int*, const int*, S*, const int*,    \
                  int*, int*, const int*, const int*, const int*, std::size_t, std::size_t);       \
  void v##gamn2d_(const int*, const char*, const char*, const int*, const int*, S*, const int*,    \
                  int*, int*, const int*, const int*, const int*, std::size_t, std::size_t);       \
  }

// S is the element type of the prototypes, T the type with which the tests compute.
#define TUTTI_NAMES(v, T, S)                                                                      \
  TUTTI_FORTRAN_PROTOTYPES(v, S)                                                                  \
  namespace conformance {                                                                         \
  template <>                                                                                     \
  struct Names<T> {                                                                               \
    static constexpr char letter = #v[0];                                                         \
    static S* raw(T* a) { return reinterpret_cast<S*>(a); }                                       \
    static void send(Interface by, int c, const Block<T>& b, Place to) {                          \
      char u[] = {b.shape.uplo, 0}, d[] = {b.shape.diag, 0};                                      \
      if (by == Interface::c) {                                                                   \
        if (b.shape.uplo == 0)                                                                    \
          return C##v##gesd2d(c, b.m, b.n, raw(b.a), b.lda, to.row, to.column);                   \
        return C##v##trsd2d(c, u, d, b.m, b.n, raw(b.a), b.lda, to.row, to.column);               \
      }                                                                                           \
      if (b.shape.uplo == 0)                                                                      \
        return v##gesd2d_(&c, &b.m, &b.n, raw(b.a), &b.lda, &to.row, &to.column);                 \
      v##trsd2d_(&c, u, d, &b.m, &b.n, raw(b.a), &b.lda, &to.row, &to.column, 1, 1);              \
    }                                                                                             \
    static void receive(Interface by, int c, const Block<T>& b, Place from) {                     \
      char u[] = {b.shape.uplo, 0}, d[] = {b.shape.diag, 0};                                      \
      if (by == Interface::c) {                                                                   \
        if (b.shape.uplo == 0)                                                                    \
          return C##v##gerv2d(c, b.m, b.n, raw(b.a), b.lda, from.row, from.column);               \
        return C##v##trrv2d(c, u, d, b.m, b.n, raw(b.a), b.lda, from.row, from.column);           \
      }                                                                                           \
      if (b.shape.uplo == 0)                                                                      \
        return v##gerv2d_(&c, &b.m, &b.n, raw(b.a), &b.lda, &from.row, &from.column);             \
      v##trrv2d_(&c, u, d, &b.m, &b.n, raw(b.a), &b.lda, &from.row, &from.column, 1, 1);          \
    }                                                                                             \
    static void broadcast(Interface by, int c, How how, const Block<T>& b) {                      \
      char s[] = {how.scope, 0}, t[] = {how.top, 0}, u[] = {b.shape.uplo, 0},                     \
           d[] = {b.shape.diag, 0};                                                               \
      if (by == Interface::c) {                                                                   \
        if (b.shape.uplo == 0) return C##v##gebs2d(c, s, t, b.m, b.n, raw(b.a), b.lda);           \
        return C##v##trbs2d(c, s, t, u, d, b.m, b.n, raw(b.a), b.lda);                            \
      }                                                                                           \
      if (b.shape.uplo == 0) return v##gebs2d_(&c, s, t, &b.m, &b.n, raw(b.a), &b.lda, 1, 1);     \
      v##trbs2d_(&c, s, t, u, d, &b.m, &b.n, raw(b.a), &b.lda, 1, 1, 1, 1);                       \
    }                                                                                             \
    static void take(Interface by, int c, How how, const Block<T>& b, Place from) {               \
      char s[] = {how.scope, 0}, t[] = {how.top, 0}, u[] = {b.shape.uplo, 0},                     \
           d[] = {b.shape.diag, 0};                                                               \
      if (by == Interface::c) {                                                                   \
        if (b.shape.uplo == 0)                                                                    \
          return C##v##gebr2d(c, s, t, b.m, b.n, raw(b.a), b.lda, from.row, from.column);         \
        return C##v##trbr2d(c, s, t, u, d, b.m, b.n, raw(b.a), b.lda, from.row, from.column);     \
      }                                                                                           \
      if (b.shape.uplo == 0)                                                                      \
        return v##gebr2d_(&c, s, t, &b.m, &b.n, raw(b.a), &b.lda, &from.row, &from.column, 1, 1); \
      v##trbr2d_(&c, s, t, u, d, &b.m, &b.n, raw(b.a), &b.lda, &from.row, &from.column, 1, 1, 1,  \
                 1);                                                                              \
    }                                                                                             \
    static void sum(Interface by, int c, How how, const Block<T>& b, Place to) {                  \
      char s[] = {how.scope, 0}, t[] = {how.top, 0};                                              \
      if (by == Interface::c)                                                                     \
        return C##v##gsum2d(c, s, t, b.m, b.n, raw(b.a), b.lda, to.row, to.column);               \
      v##gsum2d_(&c, s, t, &b.m, &b.n, raw(b.a), &b.lda, &to.row, &to.column, 1, 1);              \
    }                                                                                             \
    static void largest(Interface by, int c, How how, const Block<T>& b, const Locations& l,      \
                        Place to) {                                                               \
      char s[] = {how.scope, 0}, t[] = {how.top, 0};                                              \
      if (by == Interface::c)                                                                     \
        return C##v##gamx2d(c, s, t, b.m, b.n, raw(b.a), b.lda, l.row, l.column, l.ld, to.row,    \
                            to.column);                                                           \
      v##gamx2d_(&c, s, t, &b.m, &b.n, raw(b.a), &b.lda, l.row, l.column, &l.ld, &to.row,         \
                 &to.column, 1, 1);                                                               \
    }                                                                                             \
    static void smallest(Interface by, int c, How how, const Block<T>& b, const Locations& l,     \
                         Place to) {                                                              \
      char s[] = {how.scope, 0}, t[] = {how.top, 0};                                              \
      if (by == Interface::c)                                                                     \
        return C##v##gamn2d(c, s, t, b.m, b.n, raw(b.a), b.lda, l.row, l.column, l.ld, to.row,    \
                            to.column);                                                           \
      v##gamn2d_(&c, s, t, &b.m, &b.n, raw(b.a), &b.lda, l.row, l.column, &l.ld, &to.row,         \
                 &to.column, 1, 1);                                                               \
    }                                                                                             \
  };                                                                                              \
  }

// Calls a macro with the letter of each type, the type with which the tests compute, and the
// element type of the prototypes.
#define TUTTI_FOR_EACH_TYPE(MACRO)     \
  MACRO(i, int, int)                   \
  MACRO(s, float, float)               \
  MACRO(d, double, double)             \
  MACRO(c, std::complex<float>, float) \
  MACRO(z, std::complex<double>, double)

TUTTI_FOR_EACH_TYPE(TUTTI_NAMES)

namespace conformance {

inline constexpr char broadcast_topologies[] = {' ', 'I', 'D', 'S', 'M', 'H', 'F', 'T', '1',
                                                '2', '3', '4', '5', '6', '7', '8', '9'};
inline constexpr auto& combine_topologies = broadcast_topologies;
inline constexpr char long_combine_topologies[] = {' ', 'I', '1', 'H'};
inline constexpr Op ops[] = {Op::sum, Op::largest, Op::smallest, Op::largest_value,
                             Op::smallest_value};

}  // namespace conformance

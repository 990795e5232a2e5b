// SPDX-License-Identifier: BSD-3-Clause
// Names of what our BLACS add to BLACS 1.1 (extensions.hpp).
#pragma once

#include <cstddef>
#include <vector>

extern "C" {
void blacs_barrier_(const int*, const char*, std::size_t);
void blacs_scopemap_(const int*, const char*, const int*, const int*, std::size_t);
}

namespace conformance {

// The TOP of a combine where none is tested.
inline constexpr char usual_topology = ' ';

inline void wait_in(Interface by, const Grid& grid, char scope) {
  char name[] = {scope, 0};
  if (by == Interface::c) return Cblacs_barrier(grid.context, name);
  blacs_barrier_(&grid.context, name, 1);
}

inline void map_scope(Interface by, const Grid& grid, char scope, std::vector<int> list) {
  char name[] = {scope, 0};
  const int n = static_cast<int>(list.size());
  if (by == Interface::c) return Cblacs_scopemap(grid.context, name, n, list.data());
  blacs_scopemap_(&grid.context, name, &n, list.data(), 1);
}

inline void set_branches(const Grid& grid, int branches) {
  constexpr int what = 14;
  Cblacs_set(grid.context, what, &branches);
}

inline void ask_for_coherence(const Grid& grid, bool wanted) {
  constexpr int what = 16;
  int value = wanted ? 1 : 0;
  Cblacs_set(grid.context, what, &value);
}

// A receive from anybody: by the C name, by the same name in Fortran, and in Fortran by RSRC = -1.
enum class Way { c, fortran, minus_one };
inline constexpr Way ways[] = {Way::c, Way::fortran, Way::minus_one};

// Anybody<T>::receive() receives from anybody and returns who has sent.
template <class T>
struct Anybody;

// UserCombine<T>::run() combines by the functions of a class, which get elements of type Raw<T>.
template <class T>
struct UserCombine;

// Adds by a function of the user, without functions for the beginning and the end.
inline void sum_without_ends(const Grid& grid, How how, const Block<double>& b) {
  const auto add = [](int n, double* x, double* y) {
    for (int i = 0; i < n; ++i) x[i] += y[i];
  };
  char s[] = {how.scope, 0}, t[] = {how.top, 0}, u[] = {b.shape.uplo, 0}, d[] = "N";
  Cdtuop2d(grid.context, s, t, u, d, b.m, b.n, b.a, b.lda, nullptr, add, nullptr, -1, -1);
}

}  // namespace conformance

#define TUTTI_ADDITIONS(v, T, S)                                                                   \
  extern "C" {                                                                                     \
  void v##gera2d_(const int*, const int*, const int*, S*, const int*, int*, int*);                 \
  void v##trra2d_(const int*, const char*, const char*, const int*, const int*, S*, const int*,    \
                  int*, int*, std::size_t, std::size_t);                                           \
  void v##tuop2d_(const int*, const char*, const char*, const char*, const char*, const int*,      \
                  const int*, S*, const int*, void (*)(int*, S*), void (*)(int*, S*, S*),          \
                  void (*)(int*, S*), const int*, const int*, std::size_t, std::size_t,            \
                  std::size_t, std::size_t);                                                       \
  }                                                                                                \
  namespace conformance {                                                                          \
  template <>                                                                                      \
  struct Anybody<T> {                                                                              \
    static Place receive(Way way, int c, const Block<T>& b) {                                      \
      Place from{-1, -5};                                                                          \
      S* const a = Names<T>::raw(b.a);                                                             \
      char u[] = {b.shape.uplo, 0}, d[] = {b.shape.diag, 0};                                       \
      const bool general = b.shape.uplo == 0;                                                      \
      if (way == Way::c && general) {                                                              \
        C##v##gera2d(c, b.m, b.n, a, b.lda, &from.row, &from.column);                              \
      } else if (way == Way::c) {                                                                  \
        C##v##trra2d(c, u, d, b.m, b.n, a, b.lda, &from.row, &from.column);                        \
      } else if (way == Way::fortran && general) {                                                 \
        v##gera2d_(&c, &b.m, &b.n, a, &b.lda, &from.row, &from.column);                            \
      } else if (way == Way::fortran) {                                                            \
        v##trra2d_(&c, u, d, &b.m, &b.n, a, &b.lda, &from.row, &from.column, 1, 1);                \
      } else if (general) {                                                                        \
        v##gerv2d_(&c, &b.m, &b.n, a, &b.lda, &from.row, &from.column);                            \
      } else {                                                                                     \
        v##trrv2d_(&c, u, d, &b.m, &b.n, a, &b.lda, &from.row, &from.column, 1, 1);                \
      }                                                                                            \
      return from;                                                                                 \
    }                                                                                              \
  };                                                                                               \
  template <>                                                                                      \
  struct UserCombine<T> {                                                                          \
    template <class InC>                                                                           \
    static void run(Interface by, int c, How how, const Block<T>& b, Place to) {                   \
      char s[] = {how.scope, 0}, t[] = {how.top, 0}, d[] = {b.shape.diag, 0},                      \
           u[] = {b.shape.uplo == 0 ? 'G' : b.shape.uplo, 0};                                      \
      S* const a = Names<T>::raw(b.a);                                                             \
      using InFortran = ByReference<InC, int, S>;                                                  \
      if (by == Interface::c)                                                                      \
        return C##v##tuop2d(c, s, t, u, d, b.m, b.n, a, b.lda, InC::initialise, InC::combine,      \
                            InC::finish, to.row, to.column);                                       \
      v##tuop2d_(&c, s, t, u, d, &b.m, &b.n, a, &b.lda, InFortran::initialise, InFortran::combine, \
                 InFortran::finish, &to.row, &to.column, 1, 1, 1, 1);                              \
    }                                                                                              \
  };                                                                                               \
  }

TUTTI_FOR_EACH_TYPE(TUTTI_ADDITIONS)

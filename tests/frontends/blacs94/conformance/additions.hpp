// SPDX-License-Identifier: BSD-3-Clause
// Names of what our BLACS add to BLACS 1.0, without or with an underscore (extensions.hpp). The
// paper proposes it.
#pragma once

#include <vector>

namespace conformance {

// The TOP of a combine where none is tested.
inline constexpr char usual_topology = '1';

inline void wait_in(Interface by, const Grid&, char scope) {
  TUTTI_EITHER(barrier, &scope);
}

inline void map_scope(Interface by, const Grid&, char scope, const std::vector<int>& list) {
  const int n = static_cast<int>(list.size());
  TUTTI_EITHER(scopemap, &scope, &n, list.data());
}

inline void set_branches(const Grid&, int branches) {
  setbranches(&branches);
}

// Nobody can ask for it.
inline void ask_for_coherence(const Grid&, bool) {}

// A receive from anybody by RSRC = -1, by both names.
enum class Way { c, fortran };
inline constexpr Way ways[] = {Way::c, Way::fortran};

// Anybody<T>::receive() receives from anybody and returns who has sent.
template <class T>
struct Anybody;

// UserCombine<T>::run() combines by the functions of a class, which get elements of type Raw<T>.
template <class T>
struct UserCombine;

// Adds by a function of the user, without functions for the beginning and the end.
inline void sum_without_ends(const Grid&, How how, const Block<double>& b) {
  const auto add = [](const int* n, double* x, double* y) {
    for (int i = 0; i < *n; ++i) x[i] += y[i];
  };
  const int everyone = -1;
  dtuop2d(&how.scope, &how.top, &b.shape.uplo, "N", &b.m, &b.n, b.a, &b.lda, nullptr, add, nullptr,
          &everyone, &everyone);
}

}  // namespace conformance

#define TUTTI_ADDITIONS(v, T, S)                                                              \
  namespace conformance {                                                                     \
  template <>                                                                                 \
  struct Anybody<T> {                                                                         \
    static void receive(Interface by, const Block<T>& b, Place& from) {                       \
      const char *u = &b.shape.uplo, *d = &b.shape.diag;                                      \
      S* const a = Names<T>::raw(b.a);                                                        \
      if (*u == 0) TUTTI_EITHER(v##gerv2d, &b.m, &b.n, a, &b.lda, &from.row, &from.column);   \
      TUTTI_EITHER(v##trrv2d, u, d, &b.m, &b.n, a, &b.lda, &from.row, &from.column);          \
    }                                                                                         \
    static Place receive(Way way, int, const Block<T>& b) {                                   \
      Place from{-1, -5};                                                                     \
      receive(way == Way::c ? Interface::c : Interface::fortran, b, from);                    \
      return from;                                                                            \
    }                                                                                         \
  };                                                                                          \
  template <>                                                                                 \
  struct UserCombine<T> {                                                                     \
    template <class ByValue>                                                                  \
    static void run(Interface by, int, How how, const Block<T>& b, Place to) {                \
      const char u = b.shape.uplo == 0 ? 'G' : b.shape.uplo;                                  \
      using F = ByReference<ByValue, const int, S>;                                           \
      TUTTI_EITHER(v##tuop2d, &how.scope, &how.top, &u, &b.shape.diag, &b.m, &b.n,            \
                   Names<T>::raw(b.a), &b.lda, F::initialise, F::combine, F::finish, &to.row, \
                   &to.column);                                                               \
    }                                                                                         \
  };                                                                                          \
  }

TUTTI_FOR_EACH_TYPE(TUTTI_ADDITIONS)

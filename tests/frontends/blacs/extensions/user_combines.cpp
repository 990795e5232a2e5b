// SPDX-License-Identifier: BSD-3-Clause
// Tests combines by functions of the user, vTUOP2D, from C and from Fortran.
#include <algorithm>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "extensions.hpp"

namespace conformance {
namespace {

char all[] = "All";

// The calls of the user's functions in one combine. Each must get `wanted` elements.
struct Calls {
  int wanted = 0, initialisations = 0, ends = 0;
  bool sizes_fit = true;
  void note(int n) { sizes_fit = sizes_fit && n == wanted; }
};
Calls calls;

// The sum of squares, negative at the end.
template <class T>
struct Squares {
  static void initialise(int n, T* x) {
    for (int i = 0; i < n; ++i) x[i] *= x[i];
  }
  static void combine(int n, T* x, const T* y) {
    for (int i = 0; i < n; ++i) x[i] += y[i];
  }
  static void finish(int n, T* x) {
    for (int i = 0; i < n; ++i) x[i] = -x[i];
  }
};

// The greatest of the whole vectors, by the first element in which two of them differ. The second
// operand is spoilt, which is allowed.
template <class T>
struct Greatest {
  static void initialise(int, T*) {}
  static void combine(int n, T* x, T* y) {
    if (std::lexicographical_compare(x, x + n, y, y + n, Make<T>::less)) std::copy(y, y + n, x);
    std::fill(y, y + n, Make<T>::filler());
  }
  static void finish(int, T*) {}
};

// These have the prototypes that C and Fortran want. S is the element type there.
template <template <class> class Rule, class T, class S>
struct InC {
  static void initialise(int n, S* x) {
    calls.note(n);
    ++calls.initialisations;
    Rule<T>::initialise(n, reinterpret_cast<T*>(x));
  }
  static void combine(int n, S* x, S* y) {
    calls.note(n);
    Rule<T>::combine(n, reinterpret_cast<T*>(x), reinterpret_cast<T*>(y));
  }
  static void finish(int n, S* x) {
    calls.note(n);
    ++calls.ends;
    Rule<T>::finish(n, reinterpret_cast<T*>(x));
  }
};
template <template <class> class Rule, class T, class S>
struct InFortran {
  using C = InC<Rule, T, S>;
  static void initialise(int* n, S* x) { C::initialise(*n, x); }
  static void combine(int* n, S* x, S* y) { C::combine(*n, x, y); }
  static void finish(int* n, S* x) { C::finish(*n, x); }
};

}  // namespace

template <class T>
struct UserCombine;

}  // namespace conformance

#define TUTTI_USER_COMBINE(v, T, S)                                                              \
  extern "C" void v##tuop2d_(const int*, const char*, const char*, const char*, const char*,     \
                             const int*, const int*, S*, const int*, void (*)(int*, S*),         \
                             void (*)(int*, S*, S*), void (*)(int*, S*), const int*, const int*, \
                             std::size_t, std::size_t, std::size_t, std::size_t);                \
  namespace conformance {                                                                        \
  template <>                                                                                    \
  struct UserCombine<T> {                                                                        \
    template <template <class> class Rule>                                                       \
    static void run(Interface by, int c, How how, const Block<T>& b, Place to) {                 \
      char s[] = {how.scope, 0}, t[] = {how.top, 0}, d[] = {b.shape.diag, 0},                    \
           u[] = {b.shape.uplo == 0 ? 'G' : b.shape.uplo, 0};                                    \
      S* const a = Names<T>::raw(b.a);                                                           \
      using C = InC<Rule, T, S>;                                                                 \
      using F = InFortran<Rule, T, S>;                                                           \
      if (by == Interface::c)                                                                    \
        return C##v##tuop2d(c, s, t, u, d, b.m, b.n, a, b.lda, C::initialise, C::combine,        \
                            C::finish, to.row, to.column);                                       \
      v##tuop2d_(&c, s, t, u, d, &b.m, &b.n, a, &b.lda, F::initialise, F::combine, F::finish,    \
                 &to.row, &to.column, 1, 1, 1, 1);                                               \
    }                                                                                            \
  };                                                                                             \
  }

TUTTI_FOR_EACH_TYPE(TUTTI_USER_COMBINE)

namespace conformance {
namespace {

constexpr int on_all = -1;

struct Case {
  How how;
  Size size;
  Uplo shape;
  int to;  // a rank of the scope, or on_all
  Interface by;
};

// Returns the ranks of the grid that are in a scope with this process.
std::vector<int> ranks_in(const Grid& grid, char scope) {
  std::vector<int> ranks;
  for (int rank = 0; rank < grid.size(); ++rank) {
    const bool same_row = rank / grid.columns == grid.row,
               same_column = rank % grid.columns == grid.column;
    if (scope == 'A' || (scope == 'R' ? same_row : same_column)) ranks.push_back(rank);
  }
  return ranks;
}

template <class T, template <class> class Rule>
std::vector<T> expected(const std::vector<int>& ranks, const Case& c) {
  std::vector<T> result;
  for (const int rank : ranks) {
    std::vector<T> next = contents<T>(7, rank, c.size.m, c.size.n, c.shape);
    const int n = static_cast<int>(next.size());
    Rule<T>::initialise(n, next.data());
    if (result.empty()) {
      result = next;
    } else {
      Rule<T>::combine(n, result.data(), next.data());
    }
  }
  Rule<T>::finish(static_cast<int>(result.size()), result.data());
  return result;
}

template <class T, template <class> class Rule>
void combine(const Grid& grid, const Case& c, Tally& tally) {
  const std::vector<int> ranks = ranks_in(grid, c.how.scope);
  const auto [m, n] = c.size;
  Array<T> a(m, n, m + 2), filled(m, n, m + 2);
  filled.fill(7, grid.rank());
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      if (inside(c.shape, m, n, i, j)) a.at(i, j) = filled.at(i, j);
    }
  }
  const int elements = static_cast<int>(contents<T>(7, 0, m, n, c.shape).size());
  const bool any = elements > 0;
  calls = {.wanted = elements};
  Place to{on_all, on_all};
  if (c.to != on_all) {
    to = place_of(grid, ranks[static_cast<std::size_t>(c.to)]);
  }
  UserCombine<T>::template run<Rule>(c.by, grid.context, c.how, a.block(c.shape), to);
  const bool gets_result = c.to == on_all || ranks[static_cast<std::size_t>(c.to)] == grid.rank();
  bool right = calls.sizes_fit && calls.initialisations == (any ? 1 : 0) &&
               calls.ends == (any && gets_result ? 1 : 0);
  if (gets_result) right = right && a.holds(expected<T, Rule>(ranks, c), c.shape);
  tally.check(right, std::string("tuop of type ") + Names<T>::letter + ", top '" + c.how.top +
                         "', scope " + c.how.scope + ", " + std::to_string(m) + " x " +
                         std::to_string(n) + ", to " + std::to_string(c.to));
}

template <class T>
void all_topologies(const Grid& grid, const Case& like, Tally& tally) {
  Case c = like;
  for (const char top : combine_topologies) {
    for (const char scope : scopes) {
      const int last = static_cast<int>(ranks_in(grid, scope).size()) - 1;
      c.how = {scope, top};
      for (const int to : {on_all, last}) {
        c.to = to;
        combine<T, Squares>(grid, c, tally);
        combine<T, Greatest>(grid, c, tally);
      }
    }
  }
}

void all_sizes(const Grid& grid, Tally& tally) {
  for (const Size size : sizes) {
    for (const Uplo shape : shapes) {
      for (const int to : {on_all, 0})
        combine<double, Squares>(grid, {{'A', ' '}, size, shape, to, Interface::c}, tally);
    }
  }
}

// Functions that do nothing at the beginning and at the end need not be given in C.
void add(int n, double* x, double* y) {
  for (int i = 0; i < n; ++i) x[i] += y[i];
}
void without_ends(const Grid& grid, Tally& tally) {
  double x[] = {1, 2};
  char lower[] = "l", top[] = "1", unit[] = "N";
  Cdtuop2d(grid.context, all, top, lower, unit, 2, 1, x, 2, nullptr, add, nullptr, -1, -1);
  tally.check(x[0] == grid.size() && x[1] == 2 * grid.size(), "tuop without ends");
}

}  // namespace

void user_combine_cases(const Grid& grid, Tally& tally) {
  const Uplo general{0, 'N'}, upper{'U', 'N'}, strictly_lower{'L', 'U'};
  all_topologies<double>(grid, {{}, {4, 3}, upper, 0, Interface::c}, tally);
  all_topologies<int>(grid, {{}, {3, 4}, general, 0, Interface::fortran}, tally);
  all_topologies<std::complex<float>>(grid, {{}, {5, 5}, strictly_lower, 0, Interface::c}, tally);
  // Long vectors travel in several packets.
  all_topologies<float>(grid, {{}, {200, 150}, upper, 0, Interface::fortran}, tally);
  int coherent = 1;
  Cblacs_set(grid.context, 16, &coherent);
  all_topologies<std::complex<double>>(grid, {{}, {3, 2}, general, 0, Interface::fortran}, tally);
  coherent = 0;
  Cblacs_set(grid.context, 16, &coherent);
  all_sizes(grid, tally);
  without_ends(grid, tally);
}

}  // namespace conformance

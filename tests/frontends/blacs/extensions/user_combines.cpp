// SPDX-License-Identifier: BSD-3-Clause
// Tests combines by functions of the user, vTUOP2D, from C and from Fortran.
#include <algorithm>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "extensions.hpp"

namespace conformance {
namespace {

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

// The functions of a rule on elements of the type S that the prototypes have. They count the calls.
template <template <class> class Rule, class T, class S>
struct Counted {
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
  UserCombine<T>::template run<Counted<Rule, T, Raw<T>>>(c.by, grid.context, c.how,
                                                         a.block(c.shape), to);
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
        combine<double, Squares>(grid, {{'A', usual_topology}, size, shape, to, Interface::c},
                                 tally);
    }
  }
}

// Functions that do nothing at the beginning and at the end need not be given in C.
void without_ends(const Grid& grid, Tally& tally) {
  double x[] = {1, 2};
  sum_without_ends(grid, {'A', '1'}, {2, 1, x, 2, {'l', 'N'}});
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
  ask_for_coherence(grid, true);
  all_topologies<std::complex<double>>(grid, {{}, {3, 2}, general, 0, Interface::fortran}, tally);
  ask_for_coherence(grid, false);
  all_sizes(grid, tally);
  without_ends(grid, tally);
}

}  // namespace conformance

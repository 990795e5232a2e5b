// SPDX-License-Identifier: BSD-3-Clause
// Tests TOP 'P', the MPI's own collectives, in processes that an MPI has started: the results must
// be bit for bit those of another topology.
#include <string>
#include <vector>

#include "arrays.hpp"
#include "extensions.hpp"
#include "mpi_topology.hpp"

namespace conformance {
namespace {

// A scope and the ranks of its processes in the grid.
struct Members {
  char name;
  std::vector<int> ranks;
};

std::vector<Members> scopes_of(const Grid& grid) {
  Members row{'R', {}}, column{'C', {}}, all{'A', {}}, list{'5', {}};
  for (int rank = 0; rank < grid.size(); ++rank) {
    if (rank / grid.columns == grid.row) row.ranks.push_back(rank);
    if (rank % grid.columns == grid.column) column.ranks.push_back(rank);
    all.ranks.push_back(rank);
    list.ranks.insert(list.ranks.begin(), rank);
  }
  map_scope(Interface::c, grid, list.name, list.ranks);
  return {row, column, all, list};
}

template <class T>
void broadcast(const Grid& grid, const Members& scope, Size size, Uplo shape, Tally& tally) {
  for (const int source : scope.ranks) {
    Array<T> a(size.m, size.n, size.m + 1);
    if (source == grid.rank()) {
      a.fill(3, source);
      Names<T>::broadcast(Interface::fortran, grid.context, {scope.name, 'P'}, a.block(shape));
      continue;
    }
    Names<T>::take(Interface::c, grid.context, {scope.name, 'p'}, a.block(shape),
                   place_of(grid, source));
    tally.check(a.holds(contents<T>(3, source, size.m, size.n, shape), shape),
                std::string("broadcast by the MPI in scope ") + scope.name);
  }
}

template <class T>
void sum(const Grid& grid, const Members& scope, Size size, Tally& tally) {
  std::vector<int> destinations = scope.ranks;
  destinations.push_back(-1);
  for (const int destination : destinations) {
    const Place to = destination < 0 ? Place{-1, -1} : place_of(grid, destination);
    Array<T> ours(size.m, size.n, size.m + 2), theirs(size.m, size.n, size.m + 2);
    ours.fill(4, grid.rank());
    theirs.fill(4, grid.rank());
    Names<T>::sum(Interface::c, grid.context, {scope.name, '1'}, ours.block(), to);
    Names<T>::sum(Interface::c, grid.context, {scope.name, 'P'}, theirs.block(), to);
    if (destination >= 0 && destination != grid.rank()) continue;
    std::vector<T> expected;
    for (int j = 0; j < size.n; ++j) {
      for (int i = 0; i < size.m; ++i) expected.push_back(ours.at(i, j));
    }
    tally.check(theirs.holds(expected), std::string("sum by the MPI in scope ") + scope.name);
  }
}

template <class T>
void one_type(const Grid& grid, const std::vector<Members>& all, Tally& tally) {
  for (const Members& scope : all) {
    for (const Size size : {Size{0, 2}, Size{1, 1}, Size{4, 3}, Size{120, 50}}) {
      for (const Uplo shape : {Uplo{0, 'N'}, Uplo{'U', 'U'}})
        broadcast<T>(grid, scope, size, shape, tally);
      sum<T>(grid, scope, size, tally);
    }
  }
}

}  // namespace

void mpi_topology_cases(const Grid& grid, Tally& tally) {
  const std::vector<Members> all = scopes_of(grid);
  one_type<int>(grid, all, tally);
  one_type<float>(grid, all, tally);
  one_type<double>(grid, all, tally);
  one_type<std::complex<float>>(grid, all, tally);
  one_type<std::complex<double>>(grid, all, tally);
}

}  // namespace conformance

// SPDX-License-Identifier: BSD-3-Clause
// Tests lists of processes as scopes: two that overlap are used in turn, by every routine that
// takes a scope.
#include <algorithm>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "extensions.hpp"

extern "C" {
void blacs_scopemap_(const int*, const char*, const int*, const int*, std::size_t);
void blacs_barrier_(const int*, const char*, std::size_t);
}

namespace conformance {
namespace {

// A scope of this process: its letter and the ranks of its processes in the grid.
struct List {
  char name;
  std::vector<int> ranks;

  [[nodiscard]] int index_of(int rank) const {
    const auto found = std::find(ranks.begin(), ranks.end(), rank);
    return found == ranks.end() ? -1 : static_cast<int>(found - ranks.begin());
  }
  [[nodiscard]] int size() const { return static_cast<int>(ranks.size()); }
};

void map(const Grid& grid, Interface by, List& list) {
  char name[] = {list.name, 0};
  const int n = list.size();
  if (list.index_of(grid.rank()) < 0) return;
  if (by == Interface::c) return Cblacs_scopemap(grid.context, name, n, list.ranks.data());
  blacs_scopemap_(&grid.context, name, &n, list.ranks.data(), 1);
}

void forget(const Grid& grid, char letter) {
  char name[] = {letter, 0};
  Cblacs_scopemap(grid.context, name, 0, nullptr);
}

void broadcasts(const Grid& grid, const List& list, char top, Tally& tally) {
  bool right = true;
  for (const int source : list.ranks) {
    for (const Uplo shape : {Uplo{0, 'N'}, Uplo{'L', 'U'}}) {
      Array<double> a(4, 3, 6);
      const Place from = place_of(grid, source);
      if (source == grid.rank()) {
        a.fill(5, source);
        Names<double>::broadcast(Interface::c, grid.context, {list.name, top}, a.block(shape));
        continue;
      }
      Names<double>::take(Interface::fortran, grid.context, {list.name, top}, a.block(shape), from);
      right = right && a.holds(contents<double>(5, source, 4, 3, shape), shape);
    }
  }
  tally.check(right, std::string("broadcast to a list, top ") + top);
}

// Returns the sums of the elements of all processes in the list.
std::vector<int> sums(const List& list, int m, int n) {
  std::vector<int> total(static_cast<std::size_t>(m) * static_cast<std::size_t>(n));
  for (const int rank : list.ranks) {
    const std::vector<int> part = contents<int>(6, rank, m, n);
    for (std::size_t i = 0; i < total.size(); ++i) total[i] += part[i];
  }
  return total;
}

void combines(const Grid& grid, const List& list, char top, Tally& tally) {
  bool right = true;
  std::vector<int> destinations = list.ranks;
  destinations.push_back(-1);
  for (const int destination : destinations) {
    const Place to = destination < 0 ? Place{-1, -1} : place_of(grid, destination);
    Array<int> a(3, 4, 5);
    a.fill(6, grid.rank());
    Names<int>::sum(Interface::fortran, grid.context, {list.name, top}, a.block(), to);
    if (destination < 0 || destination == grid.rank()) right = right && a.holds(sums(list, 3, 4));
  }
  tally.check(right, std::string("sum over a list, top ") + top);
}

// Each process of the list has the greatest of some elements. Where all are equal, that process
// wins that comes first from the destination on, or in the list if the result is left on all.
void places(const Grid& grid, const List& list, Tally& tally) {
  const int p = list.size();
  for (int to = -1; to < p; ++to) {
    std::vector<int> rows(static_cast<std::size_t>(p) + 1, -7), columns(rows);
    std::vector<float> x(static_cast<std::size_t>(p) + 1, 1);
    x[static_cast<std::size_t>(list.index_of(grid.rank()))] = -9;
    const int destination = to < 0 ? -1 : list.ranks[static_cast<std::size_t>(to)];
    Names<float>::largest(Interface::c, grid.context, {list.name, ' '},
                          {p + 1, 1, x.data(), p + 1, {}}, {rows.data(), columns.data(), p + 1},
                          to < 0 ? Place{-1, -1} : place_of(grid, destination));
    if (to >= 0 && destination != grid.rank()) continue;
    bool right = true;
    for (int i = 0; i <= p; ++i) {
      const int winner = list.ranks[static_cast<std::size_t>(i < p ? i : std::max(to, 0))];
      const auto at = static_cast<std::size_t>(i);
      right = right && x[at] == (i < p ? -9.0F : 1.0F) && rows[at] == winner / grid.columns &&
              columns[at] == winner % grid.columns;
    }
    tally.check(right, "greatest of a list with its place");
  }
}

void add(int n, double* x, double* y) {
  for (int i = 0; i < n; ++i) x[i] += y[i];
}

void others(const Grid& grid, const List& list, Tally& tally) {
  char name[] = {list.name, 0}, general[] = "G", unit[] = "N", blank[] = " ";
  double x[] = {1, 2};
  Cdtuop2d(grid.context, name, blank, general, unit, 1, 2, x, 1, nullptr, add, nullptr, -1, -1);
  Cblacs_barrier(grid.context, name);
  blacs_barrier_(&grid.context, name, 1);
  tally.check(x[0] == list.size() && x[1] == 2 * list.size(), "functions of the user on a list");
}

// Uses both lists alternately. A process that is in one only goes on while the others use the other
// one.
void use_in_turn(const Grid& grid, const std::vector<List>& lists, Tally& tally) {
  const auto for_each_list = [&](const auto& use) {
    for (const List& list : lists) {
      if (list.index_of(grid.rank()) >= 0) use(list);
    }
  };
  for (const char top : combine_topologies) {
    for_each_list([&](const List& list) { broadcasts(grid, list, top, tally); });
    for_each_list([&](const List& list) { combines(grid, list, top, tally); });
  }
  for_each_list([&](const List& list) { places(grid, list, tally); });
  for_each_list([&](const List& list) { others(grid, list, tally); });
}

// Returns every second process, the last one first, and the processes of the first two thirds.
std::vector<List> overlapping(int p) {
  List first{'1', {}}, second{'x', {}};
  for (int rank = p - 1; rank >= 0; rank -= 2) first.ranks.push_back(rank);
  for (int rank = 0; rank <= p * 2 / 3; ++rank) {
    if (rank < p) second.ranks.push_back(rank);
  }
  return {first, second};
}

// A letter stands for one list after the other, and the settings of the grid count for lists, too.
void redefinitions(const Grid& grid, Tally& tally) {
  bool right = true;
  for (int k = 0; k < 200; ++k) {
    List list{'Z', {}};
    for (int i = 0; i < grid.size(); ++i) list.ranks.push_back((i + k) % grid.size());
    map(grid, k % 2 == 0 ? Interface::c : Interface::fortran, list);
    int branches = 1 + k % 3, x = grid.rank() + 1;
    Cblacs_set(grid.context, 14, &branches);
    Names<int>::sum(Interface::c, grid.context, {'z', 'T'}, {1, 1, &x, 1, {}}, {-1, -1});
    right = right && x == grid.size() * (grid.size() + 1) / 2;
  }
  for (int k = 0; k < 2; ++k) forget(grid, 'Z');
  tally.check(right, "a letter for many lists");
}

}  // namespace

void list_cases(const Grid& grid, Tally& tally) {
  std::vector<List> lists = overlapping(grid.size());
  for (List& list : lists) map(grid, Interface::c, list);
  use_in_turn(grid, lists, tally);
  redefinitions(grid, tally);
  use_in_turn(grid, lists, tally);
}

}  // namespace conformance

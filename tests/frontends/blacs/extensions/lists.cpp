// SPDX-License-Identifier: BSD-3-Clause
// Tests lists of processes as scopes: two that overlap are used in turn, by every routine that
// takes a scope.
#include <algorithm>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "extensions.hpp"

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

void map(const Grid& grid, Interface by, const List& list) {
  if (list.index_of(grid.rank()) >= 0) map_scope(by, grid, list.name, list.ranks);
}

void forget(const Grid& grid, char name) {
  map_scope(Interface::c, grid, name, {});
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
    Names<float>::largest(Interface::c, grid.context, {list.name, usual_topology},
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

void others(const Grid& grid, const List& list, Tally& tally) {
  double x[] = {1, 2};
  sum_without_ends(grid, {list.name, usual_topology}, {1, 2, x, 1, {'G', 'N'}});
  wait_in(Interface::c, grid, list.name);
  wait_in(Interface::fortran, grid, list.name);
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
    int x = grid.rank() + 1;
    set_branches(grid, 1 + k % 3);
    Names<int>::sum(Interface::c, grid.context, {'z', 'T'}, {1, 1, &x, 1, {}}, {-1, -1});
    right = right && x == grid.size() * (grid.size() + 1) / 2;
  }
  for (int k = 0; k < 2; ++k) forget(grid, 'Z');
  tally.check(right, "a letter for many lists");
}

// The processes that have sent map a list at once, while the last one still receives. They tell
// each other about the list by messages, which are not those of the program, so it must not take
// them.
void after_a_fan_in(const Grid& grid, Tally& tally) {
  int x = grid.rank() + 1, sum = 0;
  List list{'9', {}};
  for (int rank = grid.size() - 1; rank >= 0; --rank) list.ranks.push_back(rank);
  const int receiver = list.ranks.front();
  for (int k = 0; k < 3; ++k) {
    if (grid.rank() != receiver)
      Names<int>::send(Interface::c, grid.context, {1, 1, &x, 1, {}}, place_of(grid, receiver));
    for (int i = 1; grid.rank() == receiver && i < grid.size(); ++i) {
      int value = 0;
      static_cast<void>(Anybody<int>::receive(ways[0], grid.context, {1, 1, &value, 1, {}}));
      sum += value;
    }
    map(grid, Interface::fortran, list);
  }
  if (grid.rank() == receiver)
    tally.check(sum == 3 * (grid.size() * (grid.size() - 1) / 2), "a list after a fan-in");
  forget(grid, '9');
}

}  // namespace

void list_cases(const Grid& grid, Tally& tally) {
  const std::vector<List> lists = overlapping(grid.size());
  for (const List& list : lists) map(grid, Interface::c, list);
  use_in_turn(grid, lists, tally);
  redefinitions(grid, tally);
  after_a_fan_in(grid, tally);
  use_in_turn(grid, lists, tally);
}

}  // namespace conformance

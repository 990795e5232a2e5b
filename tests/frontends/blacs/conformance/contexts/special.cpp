// SPDX-License-Identifier: BSD-3-Clause
// Tests cases that no loop over arguments covers: unreceived sends, several grids at once, maps,
// settings, handles, and many grids.
#include <algorithm>
#include <string>

#include "arrays.hpp"
#include "harness.hpp"

extern "C" {
void blacs_get_(const int*, const int*, int*);
void blacs_set_(const int*, const int*, const int*);
void blacs_pinfo_(int*, int*);
void blacs_gridinit_(int*, const char*, const int*, const int*, std::size_t);
void blacs_gridmap_(int*, const int*, const int*, const int*, const int*);
void blacs_gridinfo_(const int*, int*, int*, int*, int*);
void blacs_gridexit_(const int*);
int blacs_pnum_(const int*, const int*, const int*);
void blacs_pcoord_(const int*, const int*, int*, int*);
void blacs_barrier_(const int*, const char*, std::size_t);
void blacs_freebuff_(const int*, const int*);
int blacs2sys_handle_(const int*);
int sys2blacs_handle_(const int*);
double dwalltime00_();
double dcputime00_();
}

namespace conformance {
namespace {

char all[] = "All", row[] = "Row", column[] = "Column", blank[] = " ", by_rows[] = "R";

// Each process sends 1000 messages of growing size to the next before anyone receives.
void unreceived_sends(const Grid& grid, Tally& tally) {
  constexpr int count = 1000;
  const int p = grid.size(), me = grid.rank(), next = (me + 1) % p, previous = (me + p - 1) % p;
  for (int k = 0; k < count; ++k) {
    Array<double> a(k % 50, 1, 50);
    a.fill(static_cast<std::uint64_t>(k), me);
    Names<double>::send(Interface::c, grid.context, a.block(),
                        {next / grid.columns, next % grid.columns});
  }
  Cblacs_barrier(grid.context, all);
  bool good = true;
  for (int k = 0; k < count; ++k) {
    Array<double> a(k % 50, 1, 51);
    Names<double>::receive(Interface::c, grid.context, a.block(),
                           {previous / grid.columns, previous % grid.columns});
    good = good && a.holds(contents<double>(static_cast<std::uint64_t>(k), previous, k % 50, 1));
  }
  tally.check(good, "1000 unreceived sends");
  Cblacs_freebuff(grid.context, 1);
  const int no = 0;
  blacs_freebuff_(&grid.context, &no);
}

// Two processes both send before they receive (paper 000, figure 3).
void crossing_sends(const Grid& grid, Tally& tally) {
  if (grid.size() < 2 || grid.rank() > 1) return;
  const int other = 1 - grid.rank();
  const Place place{other / grid.columns, other % grid.columns};
  for (const int m : {5, 20000}) {
    Array<double> x(m, 1, m);
    x.fill(3, grid.rank());
    Names<double>::send(Interface::fortran, grid.context, x.block(), place);
    Names<double>::receive(Interface::fortran, grid.context, x.block(), place);
    tally.check(x.holds(contents<double>(3, other, m, 1)), "sends that cross");
  }
}

// Matrices are longer than any buffer of a channel, in every topology.
void large_matrices(const Grid& grid, Tally& tally) {
  constexpr int m = 300, n = 200;
  for (const char top : broadcast_topologies) {
    Array<double> a(m, n, m + 5), b(m, n, m);
    a.fill(9, 0);
    const bool source = grid.rank() == 0;
    if (source) Names<double>::broadcast(Interface::c, grid.context, {'A', top}, a.block());
    if (!source) Names<double>::take(Interface::c, grid.context, {'A', top}, b.block(), {0, 0});
    tally.check(source || b.holds(contents<double>(9, 0, m, n)),
                std::string("large broadcast, top ") + top);
    Names<double>::sum(Interface::c, grid.context, {'A', top}, a.block(), {-1, -1});
    std::vector<double> expected = contents<double>(9, 0, m, n);
    for (double& x : expected) x *= grid.size();
    tally.check(a.holds(expected), std::string("large sum, top ") + top);
  }
}

// A matrix with locations goes through the plan in several parts, in every topology. Each process
// wins some elements.
void large_locations(const Grid& grid, Tally& tally) {
  constexpr int m = 300, n = 200;
  for (const char top : broadcast_topologies) {
    Array<double> a(m, n, m + 5);
    std::vector<int> rows(m * n, -7), columns(m * n, -7);
    for (int e = 0; e < m * n; ++e)
      a.at(e % m, e / m) = e % grid.size() == grid.rank() ? -1000 - e : 1;
    Names<double>::largest(Interface::c, grid.context, {'A', top}, a.block(),
                           {rows.data(), columns.data(), m}, {-1, -1});
    bool right = a.padding_untouched();
    for (int e = 0; e < m * n; ++e) {
      const int winner = e % grid.size();
      const auto at = static_cast<std::size_t>(e);
      right = right && a.at(e % m, e / m) == -1000 - e && rows[at] == winner / grid.columns &&
              columns[at] == winner % grid.columns;
    }
    tally.check(right, std::string("large amx with locations, top ") + top);
  }
}

// Tests every number of rings and branches, through the settings, in broadcast and combine.
void settings(const Grid& grid, Tally& tally) {
  for (int value = -3; value <= 9; ++value) {
    if (value == 0) continue;
    int rings = value, branches = std::max(value, 1), flag = value > 0 ? 1 : 0, back = 0;
    for (const int what : {11, 13}) Cblacs_set(grid.context, what, &rings);
    for (const int what : {12, 14}) blacs_set_(&grid.context, &what, &branches);
    for (const int what : {15, 16}) Cblacs_set(grid.context, what, &flag);
    Cblacs_get(grid.context, 11, &back);
    bool good = back == rings;
    const int what = 14;
    blacs_get_(&grid.context, &what, &back);
    good = good && back == branches;
    for (const char top : {'M', 'T', 'H', ' '}) {
      int x = grid.rank() + 1, y = grid.rank() == 0 ? 77 : 0;
      Names<int>::sum(Interface::c, grid.context, {'A', top}, {1, 1, &x, 1, {}}, {-1, -1});
      if (grid.rank() == 0)
        Names<int>::broadcast(Interface::c, grid.context, {'A', top}, {1, 1, &y, 1, {}});
      if (grid.rank() != 0)
        Names<int>::take(Interface::c, grid.context, {'A', top}, {1, 1, &y, 1, {}}, {0, 0});
      good = good && x == grid.size() * (grid.size() + 1) / 2 && y == 77;
    }
    tally.check(good, "settings with the value " + std::to_string(value));
  }
}

void questions(const Grid& grid, Tally& tally) {
  const int outside_row = grid.rows, last = grid.size() - 1, beyond = grid.size();
  int r = 0, c = 0, ids[2] = {-1, -1};
  bool good = Cblacs_pnum(grid.context, grid.row, grid.column) == grid.rank();
  good = good && blacs_pnum_(&grid.context, &outside_row, &grid.column) == -1;
  blacs_pcoord_(&grid.context, &last, &r, &c);
  good = good && r == grid.rows - 1 && c == grid.columns - 1;
  Cblacs_pcoord(grid.context, beyond, &r, &c);
  good = good && r == -1 && c == -1;
  int a = 0, b = 0, x = 0, y = 0;
  Cblacs_gridinfo(grid.context + 100, &a, &b, &x, &y);
  good = good && a == -1 && b == -1 && x == -1 && y == -1;
  Cblacs_get(grid.context, 1, ids);
  good = good && ids[0] == 0 && ids[1] > 0;
  good = good && Cdwalltime00() <= dwalltime00_() && Cdcputime00() == -1 && dcputime00_() == -1;
  tally.check(good, "questions about a grid");
}

// The leading dimension of a single column has no meaning, and programs pass 1.
void small_leading_dimension(const Grid& grid, Tally& tally) {
  Array<float> a(4, 1, 4);
  a.fill(5, 0);
  Block<float> block = a.block();
  block.lda = 1;
  Names<float>::sum(Interface::c, grid.context, {'A', '1'}, block, {-1, -1});
  std::vector<float> expected = contents<float>(5, 0, 4, 1);
  for (float& x : expected) x *= static_cast<float>(grid.size());
  tally.check(a.holds(expected), "lda of one column");
}

// Three grids are used in turn: the whole job, its rows reversed by a map, and the first process.
void three_grids(int processes, Tally& tally) {
  const Grid one = make_grid({1, processes}), two = make_grid({processes, 1}, 'C'),
             small = make_grid({1, 1});
  std::vector<int> map(static_cast<std::size_t>(processes));
  for (int i = 0; i < processes; ++i) map[static_cast<std::size_t>(i)] = processes - 1 - i;
  int reversed = 0;
  Cblacs_get(one.context, 10, &reversed);
  const int rows = 1;
  Cblacs_gridmap(&reversed, map.data(), rows, rows, processes);
  int a = 0, b = 0, my_row = 0, my_column = 0;
  blacs_gridinfo_(&reversed, &a, &b, &my_row, &my_column);
  bool good = my_column == processes - 1 - one.column && small.inside() == (one.rank() == 0);
  for (int turn = 0; turn < 50; ++turn) {
    int x = one.column, y = two.row, z = my_column;
    Cigsum2d(one.context, row, blank, 1, 1, &x, 1, -1, -1);
    Cigamx2d(two.context, column, blank, 1, 1, &y, 1, nullptr, nullptr, -1, -1, -1);
    if (my_column == 0) Cigebs2d(reversed, all, blank, 1, 1, &z, 1);
    if (my_column != 0) Cigebr2d(reversed, all, blank, 1, 1, &z, 1, 0, 0);
    if (small.inside()) Cigsum2d(small.context, all, blank, 1, 1, &x, 1, 0, 0);
    good = good && x == processes * (processes - 1) / 2 && y == processes - 1 && z == 0;
  }
  for (const int context : {one.context, two.context, reversed}) Cblacs_gridexit(context);
  if (small.inside()) Cblacs_gridexit(small.context);
  tally.check(good, "three grids at once");
}

void handles(const Grid& grid, Tally& tally) {
  int world = -1, mine = -1, again = -1;
  Cblacs_get(-1, 0, &world);
  Cblacs_get(grid.context, 10, &mine);
  Cblacs_get(grid.context, 10, &again);
  bool good = mine == again && mine != world;
  good = good && Csys2blacs_handle(Cblacs2sys_handle(mine)) == mine &&
         Csys2blacs_handle(Cblacs2sys_handle(world)) == world;
  Cfree_blacs_system_handle(mine);
  const int what = 0;
  int fortran_world = 0, context = 0;
  blacs_get_(&grid.context, &what, &fortran_world);
  good = good && sys2blacs_handle_(&fortran_world) == fortran_world &&
         blacs2sys_handle_(&fortran_world) == fortran_world;
  // A context that is made in Fortran is used in C, and the other way round.
  const int rows = 1, columns = 1;
  context = fortran_world;
  blacs_gridinit_(&context, by_rows, &rows, &columns, 1);
  if (context >= 0) {
    int a = 0, b = 0, r = 0, c = 0;
    Cblacs_gridinfo(context, &a, &b, &r, &c);
    good = good && a == 1 && b == 1 && r == 0 && c == 0;
    Cblacs_gridexit(context);
  }
  blacs_barrier_(&grid.context, all, 3);
  tally.check(good, "system handles");
}

// The next new grid gets the slot of a grid that was exited.
void many_grids(int count, int processes, Tally& tally) {
  bool good = true;
  int first = -1;
  for (int k = 0; k < count && good; ++k) {
    const Grid grid = make_grid({1, processes}, k % 2 != 0 ? 'R' : 'C');
    if (k == 0) first = grid.context;
    int x = 1;
    if (k % 100 == 0) Cigsum2d(grid.context, all, blank, 1, 1, &x, 1, -1, -1);
    good = grid.context == first && (k % 100 != 0 || x == processes);
    blacs_gridexit_(&grid.context);
  }
  tally.check(good, std::to_string(count) + " grids made and exited");
}

}  // namespace

void special_cases(int me, int processes, double fraction, Tally& tally) {
  const Grid grid = make_grid({1, processes});
  int number = -1, count = -1;
  blacs_pinfo_(&number, &count);
  tally.check(number == me && count == processes, "pinfo");
  unreceived_sends(grid, tally);
  crossing_sends(grid, tally);
  large_matrices(grid, tally);
  large_locations(grid, tally);
  settings(grid, tally);
  questions(grid, tally);
  small_leading_dimension(grid, tally);
  handles(grid, tally);
  three_grids(processes, tally);
  Cblacs_gridexit(grid.context);
  many_grids(fraction < 1 ? 1000 : 10000, processes, tally);
}

}  // namespace conformance

// SPDX-License-Identifier: BSD-3-Clause
// Tests cases of BLACS 1.0 that no loop over arguments covers: unreceived sends, grids that follow
// each other or exist at the same time, numbers of branches, and message ids.
#include <climits>
#include <string>

#include "arrays.hpp"
#include "harness.hpp"

namespace conformance {
namespace {

const char all[] = "all", row[] = "Row", column[] = "COLUMN";
constexpr int one = 1, everyone = -1;

// Each process sends 300 messages of growing size to the next before anyone receives.
void unreceived_sends(const Grid& grid, Tally& tally) {
  constexpr int count = 300;
  const int p = grid.size(), me = grid.rank(), next = (me + 1) % p, previous = (me + p - 1) % p;
  for (int k = 0; k < count; ++k) {
    Array<double> a(k % 50, 1, 50);
    a.fill(static_cast<std::uint64_t>(k), me);
    Names<double>::send(Interface::c, 0, a.block(), {next / grid.columns, next % grid.columns});
  }
  barrier_(all);
  bool good = true;
  for (int k = 0; k < count; ++k) {
    Array<double> a(k % 50, 1, 51);
    Names<double>::receive(Interface::c, 0, a.block(),
                           {previous / grid.columns, previous % grid.columns});
    good = good && a.holds(contents<double>(static_cast<std::uint64_t>(k), previous, k % 50, 1));
  }
  tally.check(good, "unreceived sends");
  freebuff();
  freebuff_();
}

// Two processes both send before they receive (paper 000, figure 3).
void crossing_sends(const Grid& grid, Tally& tally) {
  if (grid.size() < 2 || grid.rank() > 1) return;
  const int other = 1 - grid.rank();
  const Place place{other / grid.columns, other % grid.columns};
  for (const int m : {5, 20000}) {
    Array<double> x(m, 1, m);
    x.fill(3, grid.rank());
    Names<double>::send(Interface::fortran, 0, x.block(), place);
    Names<double>::receive(Interface::fortran, 0, x.block(), place);
    tally.check(x.holds(contents<double>(3, other, m, 1)), "sends that cross");
  }
}

// Broadcasts and sums with one topology, whose value tells whether all took part.
bool both_work(const Grid& grid, char top) {
  int y = grid.rank() == 0 ? 77 : 0, x = grid.rank() + 1;
  if (grid.rank() == 0)
    Names<int>::broadcast(Interface::c, 0, {'a', top}, {1, 1, &y, 1, {}});
  else
    Names<int>::take(Interface::c, 0, {'a', top}, {1, 1, &y, 1, {}}, {0, 0});
  if (top == 'm') return y == 77;
  Names<int>::sum(Interface::c, 0, {'A', top}, {1, 1, &x, 1, {}}, {everyone, 0});
  return y == 77 && x == grid.size() * (grid.size() + 1) / 2;
}

// Before SETBRANCHES 'T' is a tree with one branch, and 'M' one ring.
void branches(const Grid& grid, Tally& tally) {
  tally.check(both_work(grid, 'm') && both_work(grid, 't'), "M and T before SETBRANCHES");
  for (const int value : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, INT_MAX, INT_MAX - 1}) {
    if (value % 2 != 0) setbranches_(&value);
    if (value % 2 == 0) setbranches(&value);
    tally.check(both_work(grid, 'm') && both_work(grid, 't'),
                "SETBRANCHES(" + std::to_string(value) + ")");
  }
  setbranches(&one);
}

// SCOPE and TOP are words of which the first letter counts.
void words(const Grid& grid, Tally& tally) {
  double x = grid.column, y = 1, z = 2;
  int ra = -7, ca = -7;
  dgmax2d("Row", "1-tree", &one, &one, &x, &one, &ra, &ca, &one, &everyone, &everyone);
  bool good = x == grid.columns - 1 && ca == grid.columns - 1 && ra == grid.row;
  dgsum2d_("column", "Hypercube", &one, &one, &y, &one, &everyone, &one);
  good = good && y == grid.rows;
  if (grid.rank() == 0) z = 5, dgebs2d(all, "split ring", &one, &one, &z, &one);
  const int zero = 0;
  if (grid.rank() != 0) dgebr2d_("ALL", "Split", &one, &one, &z, &one, &zero, &zero);
  tally.check(good && z == 5, "words for SCOPE and TOP");
}

void questions(const Grid& grid, Tally& tally) {
  const int beyond = grid.size();
  int r = 0, c = 0;
  bool good =
      kpnum(&grid.row, &grid.column) == grid.rank() && kpnum_(&grid.rows, &grid.column) == -1;
  for (int k = 0; k < grid.size(); ++k) {
    pcoord_(&k, &r, &c);
    good = good && r == k / grid.columns && c == k % grid.columns;
  }
  pcoord(&beyond, &r, &c);
  good = good && r == -1 && c == -1;
  const double begin = dwalltime00(), processor = dcputime00_();
  while (dwalltime00_() < begin + 0.002 && dcputime00() < processor + 0.002) continue;
  barrier("Row");
  barrier_("c");
  tally.check(good, "questions about a grid");
}

// The sum of 1 over all processes of the grid, in a scope.
int members(const char* scope) {
  int x = 1;
  igsum2d_(scope, "H", &one, &one, &x, &one, &everyone, &everyone);
  return x;
}

bool outside() {
  int numbers[4] = {0, 0, 0, 0};
  gridinfo(&numbers[0], &numbers[1], &numbers[2], &numbers[3]);
  return numbers[0] == -1 && numbers[1] == -1 && numbers[2] == -1 && numbers[3] == -1;
}

// Two grids exist at the same time, and after them one of all processes. Only members call, often
// with processes in another order. The processes of a half that ends first wait in nothing.
void several_grids(int me, int processes, Tally& tally) {
  const int half = (processes + 1) / 2;
  const bool first = me < half;
  const int size = first ? half : processes - half;
  for (int turn = 0; turn < 20; ++turn) {
    std::vector<int> map;
    for (int k = 0; k < size; ++k) {
      const int number = (k + turn) % size;
      map.push_back(first ? number : processes - 1 - number);
    }
    gridmap_(map.data(), &one, &one, &size);
    int rows = 0, columns = 0, my_row = 0, my_column = 0;
    gridinfo(&rows, &columns, &my_row, &my_column);
    bool good = rows == 1 && columns == size && my_row == 0;
    good = good && map[static_cast<std::size_t>(my_column)] == me;
    good = good && kpnum(&my_row, &my_column) == me;
    for (int k = 0; k < (first ? 5 : 1); ++k) good = good && members(row) == size;
    good = good && members(column) == 1;
    blacsinit(&processes, &one);
    good = good && members(all) == processes && members(column) == processes;
    tally.check(good, "two grids at once, then one of all");
  }
}

// All processes call, but not all are in the grid.
void outsiders(int me, int processes, Tally& tally) {
  bool good = true;
  for (int size = processes; size >= 1; --size) {
    blacsinit_(&one, &size);
    good = good && (me < size ? members(all) == size : outside());
  }
  tally.check(good, "smaller and smaller grids");
}

struct Ranges {
  int sends[2], scoped[2];
};
bool has_ranges(const Ranges& wanted) {
  int found[4] = {-1, -1, -1, -1};
  idranges_(&found[0], &found[1], &found[2], &found[3]);
  return found[0] == wanted.sends[0] && found[1] == wanted.sends[1] &&
         found[2] == wanted.scoped[0] && found[3] == wanted.scoped[1];
}
void shift(const Ranges& to) {
  shift_range(&to.sends[0], &to.sends[1], &to.scoped[0], &to.scoped[1]);
}

// Ids as 6.1 makes them. Each source has a part of the range, and counts in it.
void ids_of_messages(const Grid& grid, int base, int part, Tally& tally) {
  const int p = grid.size(), me = grid.rank(), next = (me + 1) % p;
  int zero = 0, previous = (me + p - 1) % p;
  bool good = true;
  int x = me, y = -1;
  for (int k = 0; k < part + 2; ++k) {  // they begin again when the part is used up
    const int wanted = k % part;
    if (k % 2 == 0) {
      good = good && ksendid(&zero, &me, &zero, &next) == base + me * part + wanted;
      good = good && krecvid_(&zero, &previous) == base + previous * part + wanted;
    } else {  // a message takes an id, too
      igesd2d(&one, &one, &x, &one, &zero, &next);
      igerv2d(&one, &one, &y, &one, &zero, &previous);
      good = good && y == previous;
    }
  }
  tally.check(good, "ids of messages");
}

void ids_of_operations(const Grid& grid, int base, int third, Tally& tally) {
  const int me = grid.rank(), zero = 0, p = grid.size();
  const int in_row = third / p, in_all = third / p;
  bool good = kbsid("Row") == base + me * in_row && kbsid_("Row") == base + me * in_row + 1;
  good = good && kbsid("Column") == base + third;
  good = good && kbsid("All") == base + 2 * third + me * in_all;
  for (int k = 0; k < p; ++k) {
    if (k == me) continue;
    good = good && kbrid(row, &zero, &k) == base + k * in_row;
    good = good && kbrid_(all, &zero, &k) == base + 2 * third + k * in_all;
    good = good && kbrid_(all, &zero, &k) == base + 2 * third + k * in_all + 1;
  }
  // A sum on all processes counts as an operation of the first one.
  good = good && members(row) == p;
  const int after = me == 0 ? kbsid(row) : kbrid(row, &zero, &zero);
  good = good && after == base + (me == 0 ? 3 : 2);
  tally.check(good, "ids of scoped operations");
}

void message_ids(int processes, Tally& tally) {
  constexpr int half = 0x3fffffff;
  const Grid before = make_grid({1, processes});
  bool good = before.inside() && has_ranges({{0, half}, {half + 1, INT_MAX}});
  const Ranges mine{{1000, 1000 + 5 * processes - 1}, {50, 50 + 30 * processes - 1}};
  shift(mine);
  good = good && !has_ranges(mine);  // from the next grid on
  const Grid grid = make_grid({1, processes});
  good = good && has_ranges(mine);
  tally.check(good, "SHIFT_RANGE and IDRANGES");
  ids_of_messages(grid, 1000, 5, tally);
  ids_of_operations(grid, 50, 10 * processes, tally);
  shift({{0, half}, {half + 1, INT_MAX}});
}

// BLACSEXIT with a value other than 0 ends the grid only.
void go_on(int processes, Tally& tally) {
  blacsexit(&one);
  tally.check(outside(), "no grid after BLACSEXIT");
  blacsinit_(&one, &processes);
  tally.check(members(all) == processes, "a grid after BLACSEXIT");
}

}  // namespace

void special_cases(int me, int processes, double, Tally& tally) {
  int number = -1, count = -1, wish = processes + 3;
  initpinfo(&number, &count);
  auxsetup_(&number, &wish);
  tally.check(number == me && count == processes && wish == processes + 3,
              "INITPINFO and AUXSETUP");
  const Grid grid = make_grid({1, processes});
  branches(grid, tally);
  unreceived_sends(grid, tally);
  crossing_sends(grid, tally);
  words(grid, tally);
  questions(grid, tally);
  several_grids(me, processes, tally);
  outsiders(me, processes, tally);
  message_ids(processes, tally);
  go_on(processes, tally);
}

}  // namespace conformance

// SPDX-License-Identifier: BSD-3-Clause
// Tests what the proposals of the paper mean for message ids, for the numbers of processes, and for
// debug level 3. BLACS 1.1 have no ids, and other numbers.
#include <algorithm>

#include "extensions.hpp"

namespace conformance {
namespace {

constexpr int one = 1, everyone = -1;

void send(const Grid& grid, int to, int value) {
  Names<int>::send(Interface::fortran, 0, {1, 1, &value, 1, {}}, place_of(grid, to));
}

// A message and the rank of its sender.
struct Taken {
  int value = -1, from = -1;
};
Taken take(const Grid& grid) {
  Taken taken;
  taken.from = rank_of(grid, Anybody<int>::receive(Way::fortran, 0, {1, 1, &taken.value, 1, {}}));
  return taken;
}
int take_from(const Grid& grid, int rank) {
  int value = -1;
  Names<int>::receive(Interface::c, 0, {1, 1, &value, 1, {}}, place_of(grid, rank));
  return value;
}

// Each process gets five messages from the one before, in their order, some from there and some
// from anybody. Then it expects the same id from there as its sender gives to the next message.
void ids_of_any_message(const Grid& grid, Tally& tally) {
  const int p = grid.size(), next = (grid.rank() + 1) % p, before = (grid.rank() + p - 1) % p;
  for (int k = 0; k < 5; ++k) send(grid, next, 10 * grid.rank() + k);
  bool right = true;
  for (int k = 0; k < 5; ++k) {
    const Taken taken = k % 2 == 0 ? take(grid) : Taken{take_from(grid, before), before};
    right = right && taken.from == before && taken.value == 10 * before + k;
  }
  const Place to = place_of(grid, next), from = place_of(grid, before);
  send(grid, next, ksendid_(&grid.row, &grid.column, &to.row, &to.column));
  const int id = krecvid(&from.row, &from.column);
  tally.check(right && take(grid).value == id, "ids of messages from anybody");
  wait_in(Interface::fortran, grid, 'A');
}

// A receive from a named process leaves the messages of the others, whenever they have come.
void named_before_anybody(const Grid& grid, Tally& tally) {
  const int p = grid.size(), last = p - 1;
  if (grid.rank() != last) send(grid, last, grid.rank());
  wait_in(Interface::c, grid, 'A');
  bool right = true;
  for (int rank = p - 2; grid.rank() == last && rank >= 0; rank -= 2)
    right = right && take_from(grid, rank) == rank;
  for (int rank = p - 3; grid.rank() == last && rank >= 0; rank -= 2) {
    const Taken taken = take(grid);
    right = right && taken.from == taken.value && (last - taken.from) % 2 == 0;
  }
  tally.check(right, "named receives before receives from anybody");
  wait_in(Interface::c, grid, 'A');
}

// Messages of level 3 go ahead of those of the program. Receives at level 1 leave them or take
// them, and a receive from anybody must not take one for a message.
void after_level_3(const Grid& grid, Tally& tally) {
  const int p = grid.size(), next = (grid.rank() + 1) % p, before = (grid.rank() + p - 1) % p;
  constexpr int high = 3, low = 1;
  bool right = true;
  wait_in(Interface::c, grid, 'A');
  blacsdebug(&high);
  for (int k = 0; k < 3; ++k) send(grid, next, k);
  right = right && take(grid).value == 0;
  blacsdebug_(&low);
  right = right && take_from(grid, before) == 1 && take(grid).value == 2;
  send(grid, next, 3);
  right = right && take(grid).value == 3;
  tally.check(right, "receives from anybody after level 3");
  wait_in(Interface::c, grid, 'A');
}

// Operations of a list have no ids, so those of the grid follow each other.
void ids_beside_a_list(const Grid& grid, Tally& tally) {
  std::vector<int> numbers;
  for (int number = grid.size() - 1; number >= 0; --number) numbers.push_back(number);
  map_scope(Interface::c, grid, 'X', numbers);
  const int all = kbsid("All"), row = kbsid_("Row"), column = kbsid("Column");
  int x = 1;
  igsum2d("x", "F", &one, &one, &x, &one, &everyone, &everyone);
  wait_in(Interface::fortran, grid, 'x');
  tally.check(x == grid.size() && kbsid_("All") == all + 1 && kbsid("Row") == row + 1 &&
                  kbsid("Column") == column + 1,
              "ids beside a list");
  map_scope(Interface::fortran, grid, 'x', {});
}

// In this grid no process but perhaps one has the number of its place. A list has numbers of
// processes, but results name places.
void numbers_of_a_list(const Grid& like, Tally& tally) {
  std::vector<int> map;
  for (int number = like.size() - 1; number >= 0; --number) map.push_back(number);
  gridmap(map.data(), &like.rows, &like.rows, &like.columns);
  Grid grid = like;
  gridinfo(&grid.rows, &grid.columns, &grid.row, &grid.column);
  const int own = kpnum(&grid.row, &grid.column), half = (like.size() + 1) / 2;
  std::vector<int> numbers;
  for (int number = 0; number < half; ++number) numbers.push_back(number);
  if (own < half) {
    map_scope(Interface::c, grid, '7', numbers);
    int x = own + 1, row = -7, column = -7, number = -7;
    igmax2d("7", "Hypercube", &one, &one, &x, &one, &row, &column, &one, &everyone, &everyone);
    number = kpnum_(&row, &column);
    // The list's first process broadcasts from its place.
    int source_row = -1, source_column = -1, y = own == 0 ? 99 : 0;
    pcoord(&numbers.front(), &source_row, &source_column);
    if (own == 0) igebs2d("7", "Increasing", &one, &one, &y, &one);
    if (own != 0) igebr2d_("7", "I", &one, &one, &y, &one, &source_row, &source_column);
    tally.check(x == half && number == half - 1 && y == 99, "numbers of a list");
  }
  static_cast<void>(make_grid({like.rows, like.columns}));
}

}  // namespace

void own_cases(const Grid& grid, Launcher, Tally& tally) {
  ids_of_any_message(grid, tally);
  named_before_anybody(grid, tally);
  after_level_3(grid, tally);
  ids_beside_a_list(grid, tally);
  numbers_of_a_list(grid, tally);
}

}  // namespace conformance

// SPDX-License-Identifier: BSD-3-Clause
// Processes and grids of BLACS 1.0 for the conformance driver (harness.hpp). Grids that are made
// column by column come from GRIDMAP, the others from BLACSINIT.
#include <tutti-blacs94/tutti_blacs94.h>

#include "harness.hpp"

namespace conformance {

Machine begin() {
  Machine found;
  initpinfo_(&found.me, &found.processes);
  if (found.processes < 1) found.processes = 1;
  auxsetup(&found.me, &found.processes);
  return found;
}

Grid make_grid(Shape shape, char order) {
  Grid grid;
  if (order == 'R') {
    blacsinit_(&shape.rows, &shape.columns);
  } else {
    std::vector<int> map;
    for (int k = 0; k < shape.rows * shape.columns; ++k) map.push_back(k);
    gridmap(map.data(), &shape.rows, &shape.rows, &shape.columns);
  }
  gridinfo_(&grid.rows, &grid.columns, &grid.row, &grid.column);
  grid.context = grid.row >= 0 ? 0 : -1;
  return grid;
}

// The next grid replaces this one.
void end_grid(const Grid&) {}

void finish() {
  const int go_on = 0;
  blacsexit_(&go_on);
}

}  // namespace conformance

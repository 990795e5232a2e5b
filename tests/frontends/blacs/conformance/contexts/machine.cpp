// SPDX-License-Identifier: BSD-3-Clause
// Processes and grids of BLACS 1.1 for the conformance driver (harness.hpp).
#include <tutti-blacs/tutti_blacs.h>

#include "harness.hpp"

namespace conformance {

Machine begin() {
  Machine found;
  Cblacs_pinfo(&found.me, &found.processes);
  if (found.processes < 1) {
    found.processes = 1;
    Cblacs_setup(&found.me, &found.processes);
  }
  return found;
}

Grid make_grid(Shape shape, char order) {
  Grid grid;
  char text[] = {order, 0};
  Cblacs_get(-1, 0, &grid.context);
  Cblacs_gridinit(&grid.context, text, shape.rows, shape.columns);
  Cblacs_gridinfo(grid.context, &grid.rows, &grid.columns, &grid.row, &grid.column);
  return grid;
}

void end_grid(const Grid& grid) {
  Cblacs_gridexit(grid.context);
}

void finish() {
  Cblacs_exit(0);
}

}  // namespace conformance

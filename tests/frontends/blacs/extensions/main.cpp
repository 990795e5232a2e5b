// SPDX-License-Identifier: BSD-3-Clause
// Tests what our BLACS add to BLACS 1.1 or 1.0, on grids of all processes: one row, one column, and
// several rows where the number of processes has a factor. It prints one line of counts. The first
// argument says what has started the processes: "tutti", "mpi", or nothing. Numbers of rows and of
// columns after it ask for this grid only.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "extensions.hpp"

namespace conformance {
namespace {

std::vector<Shape> grids_of(int processes) {
  std::vector<Shape> grids{{1, processes}};
  if (processes > 1) grids.push_back({processes, 1});
  for (int rows = 2; rows < processes; ++rows) {
    if (processes % rows == 0) grids.push_back({rows, processes / rows});
  }
  return grids;
}

int run(Launcher launcher, std::vector<Shape> grids) {
  const auto [me, processes] = begin();
  Tally tally;
  if (grids.empty()) grids = grids_of(processes);
  for (const Shape shape : grids) {
    const Grid grid = make_grid(shape);
    anybody_cases(grid, launcher, tally);
    user_combine_cases(grid, tally);
    list_cases(grid, tally);
    own_cases(grid, launcher, tally);
    end_grid(grid);
  }
  const Grid all = make_grid({1, processes});
  int counts[] = {static_cast<int>(tally.passed), static_cast<int>(tally.failed)};
  Names<int>::sum(Interface::c, all.context, {'A', '1'}, {2, 1, counts, 2, {}}, {-1, -1});
  end_grid(all);
  if (me == 0) std::printf("%d right, %d wrong\n", counts[0], counts[1]);
  finish();
  return counts[1] == 0 ? 0 : 1;
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::Launcher;
  const char* const name = argc > 1 ? argv[1] : "";
  std::vector<conformance::Shape> grids;
  if (argc > 3) grids.push_back({std::atoi(argv[2]), std::atoi(argv[3])});
  return conformance::run(std::strcmp(name, "tutti") == 0 ? Launcher::tutti
                          : std::strcmp(name, "mpi") == 0 ? Launcher::mpi
                                                          : Launcher::none,
                          grids);
}

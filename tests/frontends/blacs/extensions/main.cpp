// SPDX-License-Identifier: BSD-3-Clause
// Tests what today's BLACS add to BLACS 1.1, on grids of all processes: one row, one column, and
// several rows where the number of processes has a factor. It prints one line of counts. The
// argument says what has started the processes: "tutti", "mpi", or nothing.
#include <cstdio>
#include <cstring>

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

int run(Launcher launcher) {
  const auto [me, processes] = begin();
  Tally tally;
  for (const Shape shape : grids_of(processes)) {
    const Grid grid = make_grid(shape);
    anybody_cases(grid, launcher, tally);
    user_combine_cases(grid, tally);
    list_cases(grid, tally);
    if (launcher == Launcher::mpi) mpi_topology_cases(grid, tally);
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
  return conformance::run(std::strcmp(name, "tutti") == 0 ? Launcher::tutti
                          : std::strcmp(name, "mpi") == 0 ? Launcher::mpi
                                                          : Launcher::none);
}

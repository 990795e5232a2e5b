// SPDX-License-Identifier: BSD-3-Clause
// Tests additions where only BLACS 1.1 have what they need: contexts, and the topology of the MPI.
#include <vector>

#include "extensions.hpp"
#include "mpi_topology.hpp"

namespace conformance {
namespace {

// Each context has messages of its own, and a named receive takes what a receive from anybody has
// left.
void contexts(const Grid& grid, Tally& tally) {
  const Grid other = make_grid({grid.columns, grid.rows}, 'C');
  const int next = (grid.rank() + 1) % grid.size();
  const int previous = (grid.rank() + grid.size() - 1) % grid.size();
  const auto send = [](const Grid& in, int to, int value) {
    const Place place = place_of(in, to);
    Cigesd2d(in.context, 1, 1, &value, 1, place.row, place.column);
  };
  const int other_next = (other.rank() + 1) % other.size();
  const int other_previous = (other.rank() + other.size() - 1) % other.size();
  send(other, other_next, 1);
  for (const int value : {2, 3}) send(grid, next, value);
  send(other, other_next, 4);
  int value = 0;
  const auto take = [&value](const Grid& in) {
    Place from{};
    Cigera2d(in.context, 1, 1, &value, 1, &from.row, &from.column);
    return rank_of(in, from);
  };
  bool right = take(grid) == previous && value == 2;
  const Place named = place_of(grid, previous);
  Cigerv2d(grid.context, 1, 1, &value, 1, named.row, named.column);
  right = right && value == 3;
  right = take(other) == other_previous && value == 1 && right;
  right = take(other) == other_previous && value == 4 && right;
  tally.check(right, "messages of two contexts");
  end_grid(other);
}

}  // namespace

void own_cases(const Grid& grid, Launcher launcher, Tally& tally) {
  contexts(grid, tally);
  if (launcher == Launcher::mpi) mpi_topology_cases(grid, tally);
}

}  // namespace conformance

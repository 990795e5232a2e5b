// SPDX-License-Identifier: BSD-3-Clause
// Checks that an operation that has run once allocates nothing when it runs again. Every allocation
// of the process is counted. Run under `tutti run -n P`.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "counted_allocations.hpp"
#include "tutti/tutti.h"

namespace {

std::vector<double> x(40'000), y(40'000);

void everything(tutti_group world, int rank, int size) {
  for (const std::int64_t n : {1, 7, 600, 40'000}) {
    const tutti_data from = tutti_array(x.data(), n, TUTTI_DOUBLE),
                     to = tutti_array(y.data(), n, TUTTI_DOUBLE);
    bool good = true;
    for (int root = 0; root < size; ++root) {
      good = tutti_bcast(world, &from, root) == TUTTI_OK && good;
      good = tutti_reduce(world, &from, &to, TUTTI_SUM, root) == TUTTI_OK && good;
    }
    good = tutti_allreduce(world, &from, &to, TUTTI_SUM) == TUTTI_OK && good;
    good = tutti_send(world, &from, (rank + 1) % size, 5) == TUTTI_OK && good;
    good = tutti_receive(world, &to, (rank + size - 1) % size, 5, nullptr, nullptr) == TUTTI_OK &&
           good;
    good = tutti_barrier(world) == TUTTI_OK && good;
    if (!good) std::abort();
  }
}

}  // namespace

int main() {
  if (tutti_init() != TUTTI_OK) return 1;
  const tutti_group world = tutti_world();
  const int rank = tutti_rank(world), size = tutti_size(world);
  for (int warm_up = 0; warm_up < 20; ++warm_up) everything(world, rank, size);
  show_first_allocation();
  const long before = allocations.load();
  for (int i = 0; i < 50; ++i) everything(world, rank, size);
  const long during = allocations.load() - before;
  show_next = false;
  if (during != 0) std::fprintf(stderr, "rank %d allocated %ld times\n", rank, during);
  if (before == 0) std::fprintf(stderr, "rank %d: the counter does not count\n", rank);
  tutti_finalize();
  return during == 0 && before != 0 ? 0 : 1;
}

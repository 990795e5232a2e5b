// SPDX-License-Identifier: BSD-3-Clause
// Checks that BLACS calls that have run once allocate nothing when they run again. They are every
// TOP and root, short, middle and long matrices, general and trapezoidal broadcasts, sums, greatest
// magnitudes with and without their places, and messages between two processes. Every allocation of
// the process is counted. Run under `tutti run -n P`.
#include <tutti-blacs/tutti_blacs.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "counted_allocations.hpp"

namespace {

constexpr char tops[] = "IDSMHFT123456789 ";
static_assert(sizeof tops - 1 == 17);
constexpr int largest = 200;

struct Place {
  int context, me, processes;
};

std::vector<double> a(largest*(largest + 3));
std::vector<int> ra(largest*largest), ca(largest*largest);
char row_scope[] = "Row", upper[] = "U", unit[] = "N";

void broadcasts(const Place& at, char* top, int n, int root) {
  const int ld = n + 3;
  if (at.me == root) {
    Cdgebs2d(at.context, row_scope, top, n, n, a.data(), ld);
    Cdtrbs2d(at.context, row_scope, top, upper, unit, n, n, a.data(), ld);
  } else {
    Cdgebr2d(at.context, row_scope, top, n, n, a.data(), ld, 0, root);
    Cdtrbr2d(at.context, row_scope, top, upper, unit, n, n, a.data(), ld, 0, root);
  }
}

// Root -1 leaves the result on all.
void combines(const Place& at, char* top, int n, int root) {
  const int ld = n + 3, row = root < 0 ? -1 : 0;
  Cdgsum2d(at.context, row_scope, top, n, n, a.data(), ld, row, root);
  Cdgamx2d(at.context, row_scope, top, n, n, a.data(), ld, ra.data(), ca.data(), n, row, root);
  Cdgamn2d(at.context, row_scope, top, n, n, a.data(), ld, nullptr, nullptr, -1, row, root);
}

void messages(const Place& at, int n) {
  const int ld = n + 3, next = (at.me + 1) % at.processes,
            before = (at.me + at.processes - 1) % at.processes;
  Cdgesd2d(at.context, n, n, a.data(), ld, 0, next);
  Cdgerv2d(at.context, n, n, a.data(), ld, 0, before);
  Cdtrsd2d(at.context, upper, unit, n, n, a.data(), ld, 0, next);
  Cdtrrv2d(at.context, upper, unit, n, n, a.data(), ld, 0, before);
}

void everything(const Place& at) {
  for (const int n : {1, 20, largest}) {
    for (const char letter : tops) {
      if (letter == 0) continue;
      char top[] = {letter, 0};
      for (int root = 0; root < at.processes; ++root) {
        broadcasts(at, top, n, root);
        combines(at, top, n, root);
      }
      combines(at, top, n, -1);
    }
    messages(at, n);
    Cblacs_barrier(at.context, row_scope);
  }
}

}  // namespace

int main() {
  Place at{};
  char order[] = "Row";
  Cblacs_pinfo(&at.me, &at.processes);
  Cblacs_get(-1, 0, &at.context);
  Cblacs_gridinit(&at.context, order, 1, at.processes);
  for (int warm_up = 0; warm_up < 5; ++warm_up) everything(at);
  show_first_allocation();
  const long before = allocations.load();
  for (int i = 0; i < 5; ++i) everything(at);
  const long during = allocations.load() - before;
  show_next = false;
  if (during != 0) std::fprintf(stderr, "process %d allocated %ld times\n", at.me, during);
  if (before == 0) std::fprintf(stderr, "process %d: the counter does not count\n", at.me);
  Cblacs_exit(0);
  return during == 0 && before != 0 ? 0 : 1;
}

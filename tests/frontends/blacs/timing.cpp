// SPDX-License-Identifier: BSD-3-Clause
// Makes a known number of calls with known lengths, for timing.py: `blacs_timing MODE`. Process 0
// sends messages of 1, 10 and 100 doubles to process 3, each after a pause that process 3 waits
// for.
#include <tutti-blacs/tutti_blacs.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>

extern "C" void blacs_set_(const int*, const int*, const int*);

namespace {

constexpr int timing_level = 20;
char all[] = "All", row[] = "Row", ring[] = "I", blank[] = " ", order[] = "Row";
double x[100];

int grid() {
  int context = 0;
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, order, 2, 2);
  return context;
}

void messages(int context, int me) {
  for (const int length : {1, 10, 100}) {
    if (me == 3) Cdgesd2d(context, 0, 0, x, 1, 0, 0);
    if (me == 0) Cdgerv2d(context, 0, 0, x, 1, 1, 1);
    if (me == 0) std::this_thread::sleep_for(std::chrono::milliseconds(40));
    if (me == 0) Cdgesd2d(context, length, 1, x, length, 1, 1);
    if (me == 3) Cdgerv2d(context, length, 1, x, length, 0, 0);
  }
}

void scoped(int context, int me) {
  char upper[] = "U", unit[] = "N";
  if (me == 1) Cdtrbs2d(context, all, ring, upper, unit, 4, 4, x, 4);
  if (me != 1) Cdtrbr2d(context, all, ring, upper, unit, 4, 4, x, 4, 0, 1);
  Cdgsum2d(context, row, blank, 2, 3, x, 2, -1, -1);
  Cblacs_barrier(context, all);
  Cblacs_barrier(context, row);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  int me = 0, processes = 0;
  const int on = 2, off = 0;
  Cblacs_pinfo(&me, &processes);
  const int context = grid();
  // Only process 3 is timed, and not all its calls.
  if (mode == "call" && me == 3) blacs_set_(&context, &timing_level, &on);
  if (mode == "nothing") return 0;
  messages(context, me);
  if (mode == "call" && me == 3) blacs_set_(&context, &timing_level, &off);
  scoped(context, me);
  if (mode == "mistake" && me == 2) Cdgesd2d(context, 1, 1, x, 1, 7, 7);
  if (mode == "killed" && me == 2) std::raise(SIGKILL);
  if (mode == "mistake" || mode == "killed") Cblacs_barrier(context, all);
  if (mode != "no_exit") Cblacs_exit(0);
  return 0;
}

// SPDX-License-Identifier: BSD-3-Clause
// Makes one wrong call per run: `blacs_errors <case>`. errors.py knows which message each must
// give. levels.cpp has the cases of debug levels, additions.cpp those of what today's BLACS add.
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "cases.hpp"

namespace {

void exited_context() {
  const int context = grid(2, 2);
  Cblacs_gridexit(context);
  Cdgsum2d(context, all, blank, 1, 1, x, 1, -1, -1);
}

// After blacs_exit each process is alone: a second one that failed would say the same again.
void after_exit() {
  const int me = own_number();
  Cblacs_exit(0);
  if (me == 0) grid(1, 1);
}

void twice_in_map() {
  int context = 0, map[] = {0, 1, 1, 2};
  Cblacs_gridmap(&context, map, 2, 2, 2);
}

void outside_map() {
  int context = 0, map[] = {0, 1, 2, 4};
  Cblacs_gridmap(&context, map, 2, 2, 2);
}

void low_ldumap() {
  int context = 0, map[] = {0, 1, 2, 3};
  Cblacs_gridmap(&context, map, 1, 2, 2);
}

// An empty text has no first letter. It must not mean a general matrix where it is UPLO.
void empty_uplo() {
  char none[] = "";
  Cdtrsd2d(grid(2, 2), none, unit, 1, 1, x, 1, 0, 0);
}

void empty_top() {
  char none[] = "";
  Cdgsum2d(grid(2, 2), all, none, 1, 1, x, 1, -1, -1);
}

void unprintable_scope() {
  char line[] = "\n";
  Cblacs_barrier(grid(2, 2), line);
}

void scope_case() {
  char s[] = "x";
  Cdgsum2d(grid(2, 2), s, blank, 1, 1, x, 1, -1, -1);
}

void barrier_scope_case() {
  char s[] = "?";
  Cblacs_barrier(grid(2, 2), s);
}

void top_case() {
  char t[] = "q";
  Cdgebs2d(grid(2, 2), all, t, 1, 1, x, 1);
}

void combine_top_case() {
  char t[] = "0";
  Cdgamx2d(grid(2, 2), all, t, 1, 1, x, 1, nullptr, nullptr, -1, -1, -1);
}

void uplo_case() {
  char u[] = "x";
  Cdtrbs2d(grid(2, 2), all, blank, u, unit, 1, 1, x, 1);
}

void diag_case() {
  char d[] = "x";
  Cdtrsd2d(grid(2, 2), upper, d, 1, 1, x, 1, 0, 0);
}

void no_context_case() {
  grid(2, 2);
  Cblacs_gridexit(7);
}

void system_handle_case() {
  int context = 99;
  Cblacs_gridinit(&context, order, 1, 1);
}

void setup_case() {
  int me = 0, n = 3;
  Cblacs_setup(&me, &n);
  std::printf("number %d of %d\n", me, n);
  Cblacs_exit(0);
}

void hand_case() {
  int me = 0, n = 0;
  Cblacs_pinfo(&me, &n);
  std::printf("number %d of %d\n", me, n);
  Cblacs_exit(0);
}

void hand_world_of_one_case() {
  int me = 0, n = 0;
  Cblacs_pinfo(&me, &n);
  x[0] = 5;
  Cdgsum2d(grid(1, 1), all, blank, 1, 1, x, 1, -1, -1);
  std::printf("sum %g\n", x[0]);
  Cblacs_exit(0);
}

void what_case() {
  int value = 0;
  Cblacs_set(grid(2, 2), 99, &value);
  Cblacs_exit(0);
}

void rings_case() {
  int value = 0;
  Cblacs_set(grid(2, 2), 11, &value);
  Cblacs_exit(0);
}

// More rings or branches than processes are as many as there can be.
void extreme_settings() {
  const int context = grid(2, 2), me = own_number();
  int branches = INT_MAX;
  for (int rings : {INT_MIN, INT_MAX}) {
    for (const int what : {11, 13}) Cblacs_set(context, what, &rings);
    for (const int what : {12, 14}) Cblacs_set(context, what, &branches);
    for (const char letter : {'M', 'T'}) {
      char top[] = {letter, 0};
      x[0] = me == 0 ? 5 : 0;
      if (me == 0) Cdgebs2d(context, all, top, 1, 1, x, 1);
      if (me != 0) Cdgebr2d(context, all, top, 1, 1, x, 1, 0, 0);
      Cdgsum2d(context, all, top, 1, 1, x, 1, -1, -1);
      if (x[0] != 20) std::abort();
    }
  }
  Cblacs_exit(0);
}

// Without checks, overlapping columns are read as M rows each.
void lda_raised_case() {
  for (int i = 0; i < 6; ++i) x[i] = i;
  Cdgsum2d(grid(2, 2), all, blank, 3, 2, x, 2, -1, -1);
  for (int i = 0; i < 6; ++i) {
    if (x[i] != 4 * i) std::abort();
  }
  Cblacs_exit(0);
}

// Each process receives from its neighbour before it sends.
void receive_cycle() {
  const int context = grid(2, 2);
  int rows = 0, columns = 0, row = 0, column = 0;
  Cblacs_gridinfo(context, &rows, &columns, &row, &column);
  Cdgerv2d(context, 1, 1, x, 1, row, 1 - column);
  Cdgesd2d(context, 1, 1, x, 1, row, 1 - column);
}

// The others have finished, and have sent nothing.
void receive_from_ended() {
  const int context = grid(2, 2);
  if (own_number() == 0) Cdgerv2d(context, 1, 1, x, 1, 1, 1);
  Cblacs_exit(0);
}

// Processes that disagree.
void order_case() {
  const int context = grid(2, 2), me = own_number();
  if (me == 0) Cdgsum2d(context, all, blank, 2, 2, x, 2, -1, -1);
  if (me != 0) Cblacs_barrier(context, all);
}

void sum_sizes() {
  const int context = grid(2, 2), me = own_number();
  Cdgsum2d(context, all, blank, me == 0 ? 4 : 2, 2, x, 4, -1, -1);
}

void broadcast_sizes() {
  const int context = grid(2, 2), me = own_number();
  if (me == 0) Cdgebs2d(context, all, blank, 4, 2, x, 4);
  if (me != 0) Cdgebr2d(context, all, blank, 2, 2, x, 4, 0, 0);
  Cblacs_barrier(context, all);
}

// The source that process 1 names is itself.
void own_broadcast() {
  const int context = grid(2, 2), me = own_number();
  if (me == 0) Cdgebs2d(context, all, blank, 1, 1, x, 1);
  if (me != 0) Cdgebr2d(context, all, blank, 1, 1, x, 1, 0, me == 1 ? 1 : 0);
  Cblacs_exit(0);
}

void message_sizes() {
  const int context = grid(2, 2), me = own_number();
  if (me == 0) Cdgesd2d(context, 4, 2, x, 4, 1, 1);
  if (me == 3) Cdgerv2d(context, 2, 2, x, 4, 0, 0);
  Cblacs_barrier(context, all);
}

// One process ends without a word, and the others wait for it.
void killed_case() {
  const int context = grid(2, 2);
  if (own_number() == 2) std::raise(SIGKILL);
  Cdgsum2d(context, all, blank, 2, 2, x, 2, -1, -1);
}

void left_early() {
  const int context = grid(2, 2);
  if (own_number() == 2) std::exit(0);
  Cdgsum2d(context, all, blank, 2, 2, x, 2, -1, -1);
}

// The launchers of MPI kill the others before they wait for anybody.
void left_while_others_compute() {
  const int context = grid(2, 2);
  if (own_number() == 2) std::exit(0);
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  Cdgsum2d(context, all, blank, 2, 2, x, 2, -1, -1);
}

const Cases bad_arguments = {
    {"rdest", [] { Cdgesd2d(grid(2, 2), 1, 1, x, 1, 7, 0); }},
    {"cdest", [] { Czgesd2d(grid(2, 2), 1, 1, x, 1, 0, -2); }},
    {"rsrc", [] { Cdgerv2d(grid(2, 2), 1, 1, x, 1, 2, 0); }},
    {"broadcast_root", [] { Cdgebr2d(grid(2, 2), all, blank, 1, 1, x, 1, 0, 5); }},
    {"combine_dest", [] { Cdgsum2d(grid(2, 2), all, blank, 1, 1, x, 1, 0, 2); }},
    {"scope", scope_case},
    {"barrier_scope", barrier_scope_case},
    {"top", top_case},
    {"combine_top", combine_top_case},
    {"empty_top", empty_top},
    {"empty_uplo", empty_uplo},
    {"unprintable_scope", unprintable_scope},
    {"uplo", uplo_case},
    {"diag", diag_case},
    {"m", [] { Cdgesd2d(grid(2, 2), -1, 1, x, 1, 0, 0); }},
    {"n", [] { Cdtrsd2d(grid(2, 2), upper, unit, 2, -3, x, 2, 0, 0); }},
    {"lda", [] { Cdgesd2d(grid(2, 2), 3, 2, x, 2, 0, 0); }},
};

const Cases grids_and_life = {
    {"exited", exited_context},
    {"no_context", no_context_case},
    {"too_large", [] { grid(3, 2); }},
    {"empty_grid", [] { grid(0, 2); }},
    {"map_twice", twice_in_map},
    {"low_ldumap", low_ldumap},
    {"map_outside", outside_map},
    {"system_handle", system_handle_case},
    {"after_exit", after_exit},
    {"order", order_case},
    {"sum_sizes", sum_sizes},
    {"broadcast_sizes", broadcast_sizes},
    {"own_broadcast", own_broadcast},
    {"message_sizes", message_sizes},
    {"killed", killed_case},
    {"left_early", left_early},
    {"left_while_others_compute", left_while_others_compute},
    {"abort", [] { Cblacs_abort(grid(2, 2), 42); }},
    {"receive_cycle", receive_cycle},
    {"receive_from_ended", receive_from_ended},
    {"setup", setup_case},
    {"hand", hand_case},
    {"hand_world_of_one", hand_world_of_one_case},
    {"what", what_case},
    {"rings", rings_case},
    {"extreme_settings", extreme_settings},
    {"lda_raised", lda_raised_case},
};

}  // namespace

int main(int argc, char** argv) {
  for (const Cases* cases :
       {&bad_arguments, &grids_and_life, &addition_cases(), &debug_level_cases()}) {
    const auto found = cases->find(argc > 1 ? argv[1] : "");
    if (found == cases->end()) continue;
    found->second();
    return 0;
  }
  return 2;
}

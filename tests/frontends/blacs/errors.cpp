// SPDX-License-Identifier: BSD-3-Clause
// Makes one wrong call per run: `blacs_errors <case>`. errors.py knows which message each must
// give. levels.cpp has the cases of debug levels.
#include <tutti-blacs/tutti_blacs.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "cases.hpp"

extern "C" void dgerv2d_(const int*, const int*, const int*, double*, const int*, int*, int*);

namespace {

char all[] = "All", blank[] = " ", upper[] = "U", unit[] = "N", order[] = "Row";
double x[16];

int grid(int rows, int columns) {
  int context = 0;
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, order, rows, columns);
  return context;
}

int own_number() {
  int me = 0, processes = 0;
  Cblacs_pinfo(&me, &processes);
  return me;
}

void exited_context() {
  const int context = grid(2, 2);
  Cblacs_gridexit(context);
  Cdgsum2d(context, all, blank, 1, 1, x, 1, -1, -1);
}

// After blacs_exit each process is alone, and one of them reports for all.
void after_exit() {
  own_number();
  Cblacs_exit(0);
  grid(1, 1);
}

void twice_in_map() {
  int context = 0, map[] = {0, 1, 1, 2};
  Cblacs_gridmap(&context, map, 2, 2, 2);
}

void outside_map() {
  int context = 0, map[] = {0, 1, 2, 4};
  Cblacs_gridmap(&context, map, 2, 2, 2);
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

void message_sizes() {
  const int context = grid(2, 2), me = own_number();
  if (me == 0) Cdgesd2d(context, 4, 2, x, 4, 1, 1);
  if (me == 3) Cdgerv2d(context, 2, 2, x, 4, 0, 0);
  Cblacs_barrier(context, all);
}

// Messages that do not fit a receive from anybody, and receives for which nobody sends.
void anybody_sizes() {
  const int context = grid(2, 2), me = own_number();
  int row = 0, column = 0;
  if (me == 0) Cdgesd2d(context, 4, 2, x, 4, 1, 1);
  if (me == 3) Cdgera2d(context, 2, 2, x, 4, &row, &column);
  Cblacs_barrier(context, all);
}

void anybody_in_vain() {
  const int context = grid(2, 2);
  int row = 0, column = 0;
  if (own_number() == 2) Cdgera2d(context, 1, 1, x, 1, &row, &column);
  Cblacs_barrier(context, all);
}

void anybody_from_ended() {
  const int context = grid(2, 2);
  int row = 0, column = 0;
  if (own_number() == 0) Cdgera2d(context, 1, 1, x, 1, &row, &column);
  Cblacs_exit(0);
}

// Makes the call that `CALL DGERV2D( ICONTXT, 1, 1, X, 1, -1, -1 )` makes in Fortran.
void anybody_constant() {
  static const int minus_one = -1, one = 1;
  const int context = grid(2, 2);
  dgerv2d_(&context, &one, &one, x, &one, const_cast<int*>(&minus_one),
           const_cast<int*>(&minus_one));
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

void add(int n, double* to, double* from) {
  for (int i = 0; i < n; ++i) to[i] += from[i];
}

void user_combine(int m, const char* shape, void (*op)(int, double*, double*)) {
  char uplo[] = {*shape, 0};
  Cdtuop2d(grid(2, 2), all, blank, uplo, unit, m, 2, x, 4, nullptr, op, nullptr, -1, -1);
}

void user_combine_sizes() {
  const int me = own_number();
  user_combine(me == 0 ? 4 : 2, "G", add);
}

// An operator of the user and a sum are different calls.
void user_combine_or_sum() {
  if (own_number() == 0) return user_combine(2, "G", add);
  Cdgsum2d(grid(2, 2), all, blank, 2, 2, x, 4, -1, -1);
}

// Maps a list to the scope '1' of a grid of 2 x 2, and returns the context.
int list_scope(std::vector<int> list, char name = '1') {
  char scope[] = {name, 0};
  const int context = grid(2, 2);
  Cblacs_scopemap(context, scope, static_cast<int>(list.size()), list.data());
  return context;
}

// All lists of the next three have this process, but they differ.
void list_order() {
  list_scope(own_number() < 2 ? std::vector{0, 1, 2, 3} : std::vector{0, 1, 3, 2});
}

void list_lacks_one() {
  if (own_number() == 3) list_scope({3, 0, 1});
  if (own_number() != 3) list_scope({0, 1, 2, 3});
}

void list_names() {
  list_scope({0, 1, 2, 3}, own_number() == 0 ? '1' : '2');
}

// Process 2 has been listed by the others only.
void list_alone() {
  const int context = own_number() == 2 ? grid(2, 2) : list_scope({0, 1, 2, 3});
  Cblacs_barrier(context, all);
}

void list_destination() {
  if (own_number() > 1) return Cblacs_barrier(grid(2, 2), all);
  char scope[] = "1";
  Cdgsum2d(list_scope({0, 1}), scope, blank, 1, 1, x, 1, 1, 0);
}

// Process 3 uses a scope that it is not in.
void list_outsider() {
  char scope[] = "1";
  const int context = own_number() == 3 ? grid(2, 2) : list_scope({2, 1, 0});
  Cblacs_barrier(context, scope);
}

void mpi_topology() {
  char top[] = "P";
  Cdgsum2d(grid(2, 2), all, top, 1, 1, x, 1, -1, -1);
}

void mpi_topology_largest() {
  char top[] = "p";
  Cdgamx2d(grid(2, 2), all, top, 1, 1, x, 1, nullptr, nullptr, -1, -1, -1);
}

const Cases bad_arguments = {
    {"rdest", [] { Cdgesd2d(grid(2, 2), 1, 1, x, 1, 7, 0); }},
    {"cdest", [] { Czgesd2d(grid(2, 2), 1, 1, x, 1, 0, -2); }},
    {"rsrc", [] { Cdgerv2d(grid(2, 2), 1, 1, x, 1, 2, 0); }},
    {"anybody_by_value", [] { Cdtrrv2d(grid(2, 2), upper, unit, 1, 1, x, 1, -1, 0); }},
    {"broadcast_root", [] { Cdgebr2d(grid(2, 2), all, blank, 1, 1, x, 1, 0, 5); }},
    {"combine_dest", [] { Cdgsum2d(grid(2, 2), all, blank, 1, 1, x, 1, 0, 2); }},
    {"scope", scope_case},
    {"barrier_scope", barrier_scope_case},
    {"top", top_case},
    {"combine_top", combine_top_case},
    {"uplo", uplo_case},
    {"mpi_topology", mpi_topology},
    {"mpi_topology_largest", mpi_topology_largest},
    {"user_uplo", [] { user_combine(1, "x", add); }},
    {"user_op", [] { user_combine(1, "G", nullptr); }},
    {"list_twice",
     [] {
       list_scope({0, 1, 2, 3, 1});
     }},
    {"list_same",
     [] {
       list_scope({0, 1, 2, 1});
     }},
    {"list_outside",
     [] {
       list_scope({0, 1, 4});
     }},
    {"list_absent", [] { list_scope({own_number() == 0 ? 1 : 0}); }},
    {"list_name",
     [] {
       list_scope({0, 1, 2, 3}, 'R');
     }},
    {"list_order", list_order},
    {"list_lacks_one", list_lacks_one},
    {"list_names", list_names},
    {"list_alone", list_alone},
    {"list_destination", list_destination},
    {"list_outsider", list_outsider},
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
    {"map_outside", outside_map},
    {"system_handle", system_handle_case},
    {"after_exit", after_exit},
    {"order", order_case},
    {"sum_sizes", sum_sizes},
    {"broadcast_sizes", broadcast_sizes},
    {"message_sizes", message_sizes},
    {"user_combine_sizes", user_combine_sizes},
    {"user_combine_or_sum", user_combine_or_sum},
    {"anybody_sizes", anybody_sizes},
    {"anybody_in_vain", anybody_in_vain},
    {"anybody_from_ended", anybody_from_ended},
    {"anybody_constant", anybody_constant},
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
    {"lda_raised", lda_raised_case},
};

}  // namespace

int main(int argc, char** argv) {
  for (const Cases* cases : {&bad_arguments, &grids_and_life, &debug_level_cases()}) {
    const auto found = cases->find(argc > 1 ? argv[1] : "");
    if (found == cases->end()) continue;
    found->second();
    return 0;
  }
  return 2;
}

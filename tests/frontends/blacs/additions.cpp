// SPDX-License-Identifier: BSD-3-Clause
// Wrong calls of what today's BLACS add to BLACS 1.1. errors.py runs them.
#include <vector>

#include "cases.hpp"

extern "C" void dgerv2d_(const int*, const int*, const int*, double*, const int*, int*, int*);

namespace {

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

void null_combine(char* scope, char* top, char* uplo) {
  Cdtuop2d(grid(2, 2), scope, top, uplo, unit, 1, 1, x, 1, nullptr, add, nullptr, -1, -1);
}

void null_source(int* row, int* column) {
  Cdtrra2d(grid(2, 2), upper, unit, 1, 1, x, 1, row, column);
}

const Cases cases = {
    {"null_list", [] { Cblacs_scopemap(grid(2, 2), std::string("1").data(), 4, nullptr); }},
    {"null_name",
     [] {
       int list[] = {0, 1, 2, 3};
       Cblacs_scopemap(grid(2, 2), nullptr, 4, list);
     }},
    {"null_scope", [] { null_combine(nullptr, blank, upper); }},
    {"null_top", [] { null_combine(all, nullptr, upper); }},
    {"null_uplo", [] { null_combine(all, blank, nullptr); }},
    {"null_diag", [] { Cdtrsd2d(grid(2, 2), upper, nullptr, 1, 1, x, 1, 0, 0); }},
    {"null_source",
     [] {
       int row = 0;
       null_source(&row, nullptr);
     }},
    {"null_sources", [] { null_source(nullptr, nullptr); }},
    {"null_value", [] { Cblacs_get(-1, 2, nullptr); }},
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
    {"anybody_by_value", [] { Cdtrrv2d(grid(2, 2), upper, unit, 1, 1, x, 1, -1, 0); }},
    {"mpi_topology", mpi_topology},
    {"mpi_topology_largest", mpi_topology_largest},
    {"user_combine_sizes", user_combine_sizes},
    {"user_combine_or_sum", user_combine_or_sum},
    {"anybody_sizes", anybody_sizes},
    {"anybody_in_vain", anybody_in_vain},
    {"anybody_from_ended", anybody_from_ended},
    {"anybody_constant", anybody_constant},
};

}  // namespace

const Cases& addition_cases() {
  return cases;
}

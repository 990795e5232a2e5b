// SPDX-License-Identifier: BSD-3-Clause
// Mistakes that debug levels 2 and 3 of the BLACS explain or find, and calls that level 3 must not
// object to. errors.py runs them.
#include <cstdlib>

#include "cases.hpp"

namespace {

// Each process waits in another operation.
void hang_case() {
  const int context = grid(2, 2);
  char row[] = "Row", column[] = "Column", star[] = "F", lower[] = "L";
  switch (own_number()) {
    case 0:
      return Cblacs_barrier(context, row);
    case 1:
      return Cztrrv2d(context, lower, unit, 2, 1, x, 3, 1, 1);
    case 2:
      return Csgebr2d(context, column, star, 3, 2, reinterpret_cast<float*>(x), 4, 0, 0);
    default:
      return Cdgamx2d(context, row, blank, 1, 1, x, 1, nullptr, nullptr, -1, 1, 1);
  }
}

// Messages whose lengths are equal, so that only debug level 3 finds the mistake.
void message_types() {
  const int context = grid(2, 2), me = own_number();
  int words[4] = {};
  if (me == 0) Cigesd2d(context, 1, 2, words, 1, 1, 1);
  if (me == 3) Cdgerv2d(context, 1, 1, x, 1, 0, 0);
  Cblacs_exit(0);
}

void message_trapezoids() {
  const int context = grid(2, 2), me = own_number();
  char lower[] = "L";
  if (me == 0) Cdtrsd2d(context, upper, unit, 2, 2, x, 2, 1, 1);
  if (me == 3) Cdtrrv2d(context, lower, unit, 2, 2, x, 2, 0, 0);
  Cblacs_exit(0);
}

// A message may be received in another form, and may wait while the level changes.
void message_forms() {
  const int context = grid(2, 2), me = own_number();
  const int from = 1 - me % 2;
  int level = 3;
  Cdgesd2d(context, 2, 1, x, 2, me / 2, from);
  Cblacs_set(context, 2, &level);
  Cblacs_barrier(context, all);
  Cdgesd2d(context, 1, 4, x, 3, me / 2, from);
  Cdgerv2d(context, 2, 1, x, 2, me / 2, from);
  Cdgerv2d(context, 2, 2, x, 2, me / 2, from);
  level = 0;
  Cblacs_get(-1, 2, &level);
  if (level != 3) std::abort();
  Cblacs_exit(0);
}

// Process 3 receives a message at level 1 that was sent at level 3, and the next one at level 3.
void sender_is_earlier() {
  const int context = grid(2, 2), me = own_number();
  int level = 3, low = 1;
  if (me == 0) {
    Cblacs_set(context, 2, &level);
    Cdgesd2d(context, 2, 1, x, 2, 1, 1);
    Cblacs_set(context, 2, &low);
  }
  if (me == 3) Cdgerv2d(context, 2, 1, x, 2, 0, 0);
  Cblacs_barrier(context, all);
  Cblacs_set(context, 2, &level);
  if (me == 0) Cdgesd2d(context, 2, 2, x, 2, 1, 1);
  if (me == 3) Cdgerv2d(context, 2, 2, x, 2, 0, 0);
  Cblacs_exit(0);
}

void different_tops() {
  char ring[] = "I", star[] = "F";
  const int context = grid(2, 2), me = own_number();
  if (me == 0) Cdgebs2d(context, all, ring, 1, 1, x, 1);
  if (me != 0) Cdgebr2d(context, all, me == 3 ? star : ring, 1, 1, x, 1, 0, 0);
}

// In a grid of one row both scopes are the same processes.
void different_scopes() {
  char row[] = "row";
  const int context = grid(1, 4);
  Cdgsum2d(context, own_number() == 2 ? row : all, blank, 1, 1, x, 1, -1, -1);
  Cblacs_exit(0);
}

void different_destinations() {
  const int context = grid(2, 2);
  Cdgsum2d(context, all, blank, 1, 1, x, 1, 0, own_number() == 1 ? 1 : 0);
}

void level_value() {
  int level = 4;
  Cblacs_set(grid(2, 2), 2, &level);
  Cblacs_get(-1, 2, &level);
  if (level != 1) std::abort();
  Cblacs_exit(0);
}

void add(int n, double* to, double* from) {
  for (int i = 0; i < n; ++i) to[i] += from[i];
}

// One of the senders sends other numbers.
void anybody_types() {
  const int context = grid(2, 2), me = own_number();
  int words[4] = {}, row = 0, column = 0;
  if (me == 1) Cigesd2d(context, 1, 2, words, 1, 0, 0);
  if (me > 1) Cdgesd2d(context, 1, 1, x, 1, 0, 0);
  for (int i = 0; me == 0 && i < 3; ++i) Cdgera2d(context, 1, 1, x, 1, &row, &column);
  Cblacs_exit(0);
}

void user_forms() {
  const int context = grid(2, 2);
  char uplo[] = {own_number() == 3 ? 'L' : 'U', 0};
  Cdtuop2d(context, all, blank, uplo, unit, 2, 2, x, 2, nullptr, add, nullptr, -1, -1);
  Cblacs_exit(0);
}

void list_tops() {
  const int context = grid(2, 2), me = own_number();
  char scope[] = "x", ring[] = "I", tree[] = "2";
  int list[] = {3, 1, 0};
  if (me == 2) return Cblacs_barrier(context, all);
  Cblacs_scopemap(context, scope, 3, list);
  Cdgsum2d(context, scope, me == 1 ? tree : ring, 1, 1, x, 1, 0, 1);
}

void hang_in_additions() {
  const int context = grid(2, 2), me = own_number();
  char scope[] = "x";
  int list[] = {1, 2, 3}, row = 0, column = 0;
  if (me == 0) return Cdgera2d(context, 1, 1, x, 1, &row, &column);
  if (me == 3) Cblacs_barrier(context, all);
  Cblacs_scopemap(context, scope, 3, list);
}

// Everything that tutti adds to the BLACS, without a mistake. Each process sends two messages to
// process 0, which takes them from anybody, after another process may have begun with its list.
void additions() {
  const int context = grid(2, 2), me = own_number();
  char scope[] = "7", ring[] = "I";
  int list[] = {2, 0, 1, 3}, row = 0, column = 0;
  for (int i = 0; me > 0 && i < 2; ++i) Cdgesd2d(context, 2, 2, x, 4, 0, 0);
  for (int i = 0; me == 0 && i < 6; ++i) Cdgera2d(context, 4, 1, x, 4, &row, &column);
  Cblacs_scopemap(context, scope, 4, list);
  if (me == 2) Cdgebs2d(context, scope, ring, 2, 2, x, 2);
  if (me != 2) Cdgebr2d(context, scope, ring, 2, 2, x, 4, 1, 0);
  Cdtuop2d(context, scope, blank, upper, unit, 2, 2, x, 2, nullptr, add, nullptr, -1, -1);
  Cblacs_exit(0);
}

}  // namespace

const Cases& debug_level_cases() {
  static const Cases cases = {
      {"hang", hang_case},
      {"hang_in_additions", hang_in_additions},
      {"message_types", message_types},
      {"message_trapezoids", message_trapezoids},
      {"message_forms", message_forms},
      {"sender_is_earlier", sender_is_earlier},
      {"different_tops", different_tops},
      {"different_scopes", different_scopes},
      {"different_destinations", different_destinations},
      {"anybody_types", anybody_types},
      {"user_forms", user_forms},
      {"list_tops", list_tops},
      {"additions", additions},
      {"level_value", level_value},
  };
  return cases;
}

// SPDX-License-Identifier: BSD-3-Clause
// Tests Oxford's collectives on single values, and Oxford's other names.
#include <math.h>
#include <tutti-bsp/bsp_level1.h>

#include "check.h"

// Process `pid` gives this value: some are negative, and many occur twice.
static int value_of(int pid) {
  return pid * 7 % 5 - 1;
}

// Checks the functions of one type. `last` is the last process whose value counts.
#define CHECK_COMBINES(type, letter, suffix, last)                                          \
  do {                                                                                      \
    type sum = 0, product = 1, least = (type)value_of(0), most = least;                     \
    for (int q = 0; q <= (last); ++q) {                                                     \
      const type x = (type)value_of(q);                                                     \
      sum = (type)(sum + x);                                                                \
      product = (type)(product * (x + 3));                                                  \
      if (x < least) least = x;                                                             \
      if (x > most) most = x;                                                               \
    }                                                                                       \
    const type mine = (type)value_of((int)bsp_pid());                                       \
    CHECK(bsp_sum##letter##suffix(mine) == sum);                                            \
    CHECK(bsp_product##letter##suffix((type)(mine + 3)) == product);                        \
    CHECK(bsp_min##letter##suffix(mine) == least && bsp_max##letter##suffix(mine) == most); \
  } while (0)

// Checks that process i gets the value that i others of smaller values or of lower numbers have.
#define CHECK_SORT(type, letter)                                             \
  do {                                                                       \
    const type got = bsp_sort##letter((type)(value_of((int)bsp_pid()) + 3)); \
    int below = 0, equal = 0;                                                \
    for (int q = 0; q < (int)bsp_nprocs(); ++q) {                            \
      below += (type)(value_of(q) + 3) < got;                                \
      equal += (type)(value_of(q) + 3) == got;                               \
    }                                                                        \
    CHECK(below <= (int)bsp_pid() && (int)bsp_pid() < below + equal);        \
  } while (0)

static void combines(void) {
  const int last = (int)bsp_nprocs() - 1, own = (int)bsp_pid();
  CHECK_COMBINES(int, I, , last);
  CHECK_COMBINES(float, R, , last);
  CHECK_COMBINES(double, D, , last);
  CHECK_COMBINES(int, I, _prefix, own);
  CHECK_COMBINES(float, R, _prefix, own);
  CHECK_COMBINES(double, D, _prefix, own);
  CHECK_SORT(int, I);
  CHECK_SORT(float, R);
  CHECK_SORT(double, D);
  CHECK_SORT(char, C);
  CHECK(isnan(bsp_sortD(own == 0 ? (double)NAN : (double)own)) == (own == last));
}

static void truths(void) {
  const int last = (int)bsp_nprocs() - 1, own = (int)bsp_pid();
  for (int q = 0; q <= last; ++q) {
    CHECK(bsp_all(own == q ? 0 : 4) == 0 && bsp_any(own == q ? -2 : 0) == 1);
    CHECK(bsp_all_prefix(own == q ? 0 : 4) == (own < q));
    CHECK(bsp_any_prefix(own == q ? -2 : 0) == (own >= q));
    CHECK(bsp_constantI(own == q ? 5 : 6) == (last == 0));
  }
  CHECK(bsp_all(1 + own) == 1 && bsp_any(0) == 0);
  CHECK(bsp_constantI(-1) == 1 && bsp_constantI(2147483647) == 1);
  CHECK(bsp_constantI(own == 0 ? -2147483647 - 1 : 2147483647) == (last == 0));
}

static void other_names(void) {
  const int right = ((int)bsp_pid() + 1) % (int)bsp_nprocs();
  const int left = ((int)bsp_pid() + (int)bsp_nprocs() - 1) % (int)bsp_nprocs();
  int place = -1, own = (int)bsp_pid();
  bsp_size_t tag_size = 0, bytes = 0;
  bsp_nprocs_t messages = 0;
  bsp_pushregister(&place, BYTES(place));
  bsp_set_tag_size(&tag_size);
  bsp_sync();
  bsp_put((bsp_pid_t)right, &own, &place, 0, BYTES(place));
  bsp_send((bsp_pid_t)right, NULL, &own, BYTES(own));
  bsp_popregister(&place);
  bsp_sync();
  bsp_bsmp_info(&messages, &bytes);
  CHECK(place == left && messages == 1 && bytes == BYTES(own));
  bsp_set_tag_size(&tag_size);
  bsp_sync();
  CHECK(tag_size == 0);
  const double before = bsp_cputime();
  CHECK(bsp_dtime() >= 0 && bsp_dtime() <= bsp_time());
  CHECK(before >= 0 && bsp_cputime() >= before);
}

void check_values(void) {
  combines();
  truths();
  other_names();
}

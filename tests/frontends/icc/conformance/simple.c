/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The simple interface: the seven operations, with results that this file computes itself.
 */
#include <stdlib.h>
#include <string.h>

#include "conformance.h"

static const long lengths[] = {0, 1, 2, 7, 100, longest};
enum { length_count = sizeof lengths / sizeof lengths[0] };

static void broadcasts(void) {
  char x[longest];
  for (int k = 0; k < length_count; ++k) {
    for (long root = 0; root < nodes; ++root) {
      for (long i = 0; i < longest; ++i) x[i] = (char)value(me, i);
      iCC_bcast(x, lengths[k], root);
      for (long i = 0; i < longest; ++i) EXPECT(x[i] == (char)value(i < lengths[k] ? root : me, i));
    }
  }
}

/* Fills x and computes what the nodes' vectors combine to. */
#define COMBINED(T, combine)                        \
  for (long i = 0; i < longest; ++i) {              \
    x[i] = (T)value(me, i);                         \
    wanted[i] = (T)value(0, i);                     \
    for (long node = 1; node < nodes; ++node) {     \
      const T a = wanted[i], b = (T)value(node, i); \
      wanted[i] = (combine);                        \
    }                                               \
  }

#define TEST_COMBINE(name, T, combine)                                  \
  static void test_##name(void) {                                       \
    static T x[longest], wanted[longest], work[longest];                \
    for (int k = 0; k < length_count; ++k) {                            \
      COMBINED(T, combine)                                              \
      iCC_g##name(x, lengths[k], work);                                 \
      for (long i = 0; i < longest; ++i)                                \
        EXPECT(x[i] == (i < lengths[k] ? wanted[i] : (T)value(me, i))); \
    }                                                                   \
  }

#define TEST_COMBINES(name, T, combine)                                                  \
  TEST_COMBINE(name, T, combine)                                                         \
  static void test_##name##_one(void) {                                                  \
    static T x[longest], wanted[longest], work[longest];                                 \
    for (long root = 0; root < nodes; ++root) {                                          \
      COMBINED(T, combine)                                                               \
      iCC_g##name##_one(x, lengths[root % length_count], work, root);                    \
      if (me != root) continue;                                                          \
      for (long i = 0; i < lengths[root % length_count]; ++i) EXPECT(x[i] == wanted[i]); \
    }                                                                                    \
  }                                                                                      \
  static void test_##name##_dist(void) {                                                 \
    static T x[longest], wanted[longest], y[longest];                                    \
    for (long scale = 0; scale <= 40; scale += 20) {                                     \
      long ns[64], start = 0;                                                            \
      COMBINED(T, combine)                                                               \
      for (long node = 0; node < nodes; ++node) ns[node] = part_of(node, scale);         \
      for (long node = 0; node < me; ++node) start += ns[node];                          \
      y[ns[me]] = 77;                                                                    \
      iCC_g##name##_dist(x, ns, y);                                                      \
      for (long i = 0; i < ns[me]; ++i) EXPECT(y[i] == wanted[start + i]);               \
      EXPECT(y[ns[me]] == 77);                                                           \
    }                                                                                    \
  }

#define TEST_TYPE(v, T)                    \
  TEST_COMBINES(v##sum, T, a + b)          \
  TEST_COMBINES(v##prod, T, a* b)          \
  TEST_COMBINES(v##high, T, a > b ? a : b) \
  TEST_COMBINES(v##low, T, a < b ? a : b)

TEST_TYPE(i, long)
TEST_TYPE(s, float)
TEST_TYPE(d, double)
TEST_COMBINE(iand, long, a& b)
TEST_COMBINE(ior, long, a | b)
TEST_COMBINE(ixor, long, a ^ b)

/* Truth needs zeros among the values. */
#define TEST_TRUTH(name, combine)                                        \
  static void test_##name(void) {                                        \
    long x[64], work[64], wanted[64];                                    \
    for (long i = 0; i < 64; ++i) {                                      \
      x[i] = value(me, i) - 1;                                           \
      wanted[i] = value(0, i) != 1;                                      \
      for (long node = 1; node < nodes; ++node) {                        \
        const long a = wanted[i], b = value(node, i) != 1;               \
        wanted[i] = (combine);                                           \
      }                                                                  \
    }                                                                    \
    iCC_g##name(x, 64, work);                                            \
    for (long i = 0; i < 64; ++i)                                        \
      EXPECT(nodes == 1 ? x[i] == value(me, i) - 1 : x[i] == wanted[i]); \
  }
TEST_TRUTH(land, a&& b)
TEST_TRUTH(lor, a || b)
TEST_TRUTH(lxor, a != b)

/* A map t -> a t + b, so that the order of the operands matters. */
typedef struct {
  long a, b;
} Map;

static void compose(Map* x, Map* work) {
  for (int i = 0; i < 5; ++i) {
    x[i].b += x[i].a * work[i].b;
    x[i].a *= work[i].a;
  }
}

static void functions(void) {
  Map x[5], work[5], wanted[5];
  for (int i = 0; i < 5; ++i) {
    wanted[i] = (Map){1, 0};
    for (long node = 0; node < nodes; ++node) {
      const Map next = {value(node, i), node + i};
      wanted[i] = (Map){wanted[i].a * next.a, wanted[i].b + wanted[i].a * next.b};
    }
    x[i] = (Map){value(me, i), me + i};
  }
  iCC_gopf(x, sizeof x, work, compose);
  EXPECT(memcmp(x, wanted, sizeof x) == 0);
}

static void parts(long scale) {
  char *whole = malloc(longest), *own = malloc(longest), *wanted = malloc(longest);
  long xlens[64], start = 0, all = 0, filled = -1;
  for (long node = 0; node < nodes; ++node) {
    xlens[node] = part_of(node, scale);
    if (node < me) start += xlens[node];
    all += xlens[node];
  }
  for (long i = 0; i < longest; ++i) wanted[i] = (char)(value(i, scale) + i % 50);
  for (long root = 0; root < nodes; ++root) {
    memset(own, 0, longest);
    iCC_scatter(me == root ? wanted : NULL, xlens, own, root);
    EXPECT(memcmp(own, wanted + start, (size_t)xlens[me]) == 0);
    EXPECT(own[xlens[me]] == 0);
    memset(whole, 0, longest);
    iCC_gather(own, xlens, me == root ? whole : NULL, root);
    if (me == root) EXPECT(memcmp(whole, wanted, (size_t)all) == 0);
    EXPECT(whole[all] == 0);
  }
  memset(whole, 0, longest);
  iCC_gcolx(own, xlens, whole);
  EXPECT(memcmp(whole, wanted, (size_t)all) == 0);
  memset(whole, 0, longest);
  iCC_gcol(own, xlens[me], whole, longest, &filled);
  EXPECT(filled == all && memcmp(whole, wanted, (size_t)all) == 0);
  free(whole);
  free(own);
  free(wanted);
}

#define CALL_TYPE(v)     \
  test_##v##sum();       \
  test_##v##prod();      \
  test_##v##high();      \
  test_##v##low();       \
  test_##v##sum_one();   \
  test_##v##prod_one();  \
  test_##v##high_one();  \
  test_##v##low_one();   \
  test_##v##sum_dist();  \
  test_##v##prod_dist(); \
  test_##v##high_dist(); \
  test_##v##low_dist();

void simple_interface(void) {
  iCC_gsync();
  broadcasts();
  CALL_TYPE(i)
  CALL_TYPE(s)
  CALL_TYPE(d)
  test_iand();
  test_ior();
  test_ixor();
  test_land();
  test_lor();
  test_lxor();
  functions();
  for (long scale = 0; scale < 200; scale += 33) parts(scale);
}

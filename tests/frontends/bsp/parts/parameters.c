/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Chooses an algorithm by Oxford's parameters of the machine, as programs for its library do. They
 * are equal in all processes. Also sorts values of a type of its own.
 */
#include <bsp.h>
#include <bsp_level1.h>

typedef struct {
  int key;
  char name;
} Card;

static int by_key(void* first, void* second) {
  return ((const Card*)first)->key - ((const Card*)second)->key;
}

int main(void) {
  bsp_begin(bsp_nprocs());
  const int me = (int)bsp_pid(), p = (int)bsp_nprocs();
  int good = bsp_s() > 0 && bsp_l() > 0 && bsp_g() > 0 && bsp_nhalf() >= 0;
  good = good && bsp_minD(bsp_g()) == bsp_g() && bsp_maxD(bsp_l()) == bsp_l();
  const Card mine = {-me / 2, (char)('a' + me)};
  Card sorted;
  bsp_sort(by_key, &mine, &sorted, sizeof mine);
  if (p == 2) good = good && sorted.key == 0 && sorted.name == 'a' + me;
  good = bsp_all(good);
  if (me == 0)
    printf("s %.0f, l %.0f, g %.0f, n1/2 %d: %s\n", bsp_s(), bsp_l(), bsp_g(), bsp_nhalf(),
           good ? "good" : "bad");
  bsp_end();
  return 0;
}

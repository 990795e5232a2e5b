// SPDX-License-Identifier: BSD-3-Clause
// PageRank of a graph whose nodes are distributed in blocks. Contributions are messages tagged with
// the node. The sum of all changes decides when to stop.
#include "programs.h"

enum { links = 3 };

static int target(int n, int node, int k) {
  return (node * (k + 2) + 3 * k + 1) % n;
}

static double sum_over_all(double own, double* all) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  for (int t = 0; t < p; ++t) bsp_put((bsp_pid_t)t, &own, all, SIZE(s, double), SIZE(1, double));
  bsp_sync();
  double sum = 0;
  for (int t = 0; t < p; ++t) sum += all[t];
  return sum;
}

static void send_contributions(int n, const double* rank) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid();
  for (int i = block(p, s, n); i < block(p, s + 1, n); ++i) {
    for (int k = 0; k < links; ++k) {
      const int to = target(n, i, k);
      int owner = 0;
      while (to >= block(p, owner + 1, n)) ++owner;
      const double share = rank[i - block(p, s, n)] / links;
      bsp_send((bsp_pid_t)owner, &to, &share, SIZE(1, double));
    }
  }
}

void pagerank(int n) {
  const int p = (int)bsp_nprocs(), s = (int)bsp_pid(), first = block(p, s, n),
            own = block(p, s + 1, n) - first;
  double* const rank = malloc((size_t)own * sizeof(double) + 1);
  double* const next = malloc((size_t)own * sizeof(double) + 1);
  double* const all = bsp_alloc((size_t)p * sizeof(double));
  bsp_size_t tag_size = sizeof(int);
  bsp_set_tagsize(&tag_size);
  bsp_push_reg(all, SIZE(p, double));
  bsp_sync();
  for (int i = 0; i < own; ++i) rank[i] = 1.0 / n;
  double change = 1;
  int rounds = 0;
  for (; change > 1e-9; ++rounds) {
    REQUIRE(rounds < 200);
    send_contributions(n, rank);
    bsp_sync();
    for (int i = 0; i < own; ++i) next[i] = 0.15 / n;
    void *tag = NULL, *payload = NULL;
    while (bsp_hpmove(&tag, &payload) != (bsp_size_t)-1) {
      next[*(int*)tag - first] += 0.85 * *(double*)payload;
    }
    double own_change = 0, own_sum = 0;
    for (int i = 0; i < own; ++i) {
      own_change += fabs(next[i] - rank[i]);
      own_sum += next[i];
    }
    memcpy(rank, next, (size_t)own * sizeof(double));
    change = sum_over_all(own_change, all);
    REQUIRE(fabs(sum_over_all(own_sum, all) - 1) < 1e-9);
  }
  tag_size = 0;
  bsp_set_tagsize(&tag_size);
  bsp_pop_reg(all);
  bsp_sync();
  bsp_free(all);
  free(rank);
  free(next);
}

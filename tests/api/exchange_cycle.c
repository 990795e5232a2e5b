/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Neighbours in a circle of ranks exchange data in place, all at the same time, of more than a
 * sender's memory for messages holds. Data of one exchange may not be written before the rank has
 * sent the old contents. That sending waits for room, which the neighbour makes in its other
 * exchange, and so around the circle. Usage: under `tutti run -n P`, P >= 3.
 */
#include <stdio.h>
#include <stdlib.h>
#include <tutti/tutti.h>

enum { block = 768 * 1024, pairs_of_a_rank = 2 }; /* doubles */

static void must(tutti_status status) {
  if (status == TUTTI_OK) return;
  fprintf(stderr, "%s\n", tutti_error_text());
  exit(1);
}

static double value(int from, int to, int i) {
  return from * 10 + to + i * 0.25;
}

/* Pair k has the ranks k and k + 1. The pair with the next rank comes first. */
static void make_pairs(int me, int p, tutti_group* pair) {
  for (int k = 0; k < p; ++k) {
    const int mine = me == k || me == (k + 1) % p;
    tutti_group group;
    must(tutti_group_split(tutti_world(), mine ? 0 : 1, me, &group));
    if (mine) {
      pair[me == k ? 0 : 1] = group;
    } else {
      must(tutti_group_free(group));
    }
  }
}

int main(void) {
  must(tutti_init());
  const int me = tutti_rank(tutti_world()), p = tutti_size(tutti_world());
  tutti_group pair[pairs_of_a_rank];
  double* data[pairs_of_a_rank];
  tutti_request requests[pairs_of_a_rank];
  make_pairs(me, p, pair);
  for (int k = 0; k < pairs_of_a_rank; ++k) {
    const int other = (me + (k == 0 ? 1 : p - 1)) % p, my_part = tutti_rank(pair[k]);
    data[k] = malloc(2 * sizeof(double) * block);
    for (int i = 0; i < block; ++i) {
      data[k][my_part * block + i] = value(me, me, i);
      data[k][(1 - my_part) * block + i] = value(me, other, i);
    }
    const tutti_data all = tutti_array(data[k], 2 * (int64_t)block, TUTTI_DOUBLE);
    must(tutti_ialltoall(pair[k], &all, &all, &requests[k]));
  }
  must(tutti_waitall(pairs_of_a_rank, requests));
  int wrong = 0;
  for (int k = 0; k < pairs_of_a_rank; ++k) {
    const int other = (me + (k == 0 ? 1 : p - 1)) % p, my_part = tutti_rank(pair[k]);
    for (int i = 0; i < block; ++i) {
      wrong += data[k][my_part * block + i] != value(me, me, i);
      wrong += data[k][(1 - my_part) * block + i] != value(other, me, i);
    }
    free(data[k]);
    must(tutti_group_free(pair[k]));
  }
  if (wrong > 0) printf("rank %d: %d wrong\n", me, wrong);
  must(tutti_finalize());
  return wrong > 0;
}

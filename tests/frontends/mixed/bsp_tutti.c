/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A BSP program that also calls tutti.h: sums, messages and started operations run between puts and
 * gets and their synchronisation, and messages of the one never reach the other.
 */
#include <bsp.h>
#include <stdio.h>
#include <tutti/tutti.h>

#define N 500
#define ROUNDS 20

static int64_t bad;
#define CHECK(c) \
  if (!(c)) bad++, printf("process %d: wrong at line %d\n", bsp_pid(), __LINE__)

static int64_t put[N], put_from[N], got[N], sent[N], received[N], sum[N];

/* A put, a message of BSP, a message of tutti and a sum are on their way at the same time. */
static void all_at_once(int k) {
  const int p = bsp_nprocs(), me = bsp_pid(), next = (me + 1) % p, before = (me + p - 1) % p;
  const tutti_group world = tutti_world();
  tutti_data out = tutti_array(sent, N, TUTTI_INT64), in = tutti_array(received, N, TUTTI_INT64);
  tutti_data total = tutti_array(sum, N, TUTTI_INT64);
  tutti_request waiting, adding;
  int i, from, tag;
  for (i = 0; i < N; i++) sent[i] = me * 1000 + i + k, put_from[i] = sent[i] + 7;
  bsp_put(next, put_from, put, 0, (int)sizeof put);
  bsp_send(next, &k, &sent[1], (int)sizeof sent[1]);
  CHECK(tutti_ireceive(world, &in, TUTTI_ANY, TUTTI_ANY, &from, &tag, &waiting) == TUTTI_OK);
  CHECK(tutti_iallreduce(world, &out, &total, TUTTI_SUM, &adding) == TUTTI_OK);
  CHECK(tutti_send(world, &out, next, k) == TUTTI_OK);
  bsp_sync();
  CHECK(tutti_wait(&waiting) == TUTTI_OK && from == before && tag == k);
  CHECK(tutti_wait(&adding) == TUTTI_OK);
  for (i = 0; i < N; i++) {
    CHECK(put[i] == before * 1000 + i + k + 7 && received[i] == before * 1000 + i + k);
    CHECK(sum[i] == (int64_t)p * (p - 1) / 2 * 1000 + (int64_t)p * (i + k));
  }
  CHECK(tutti_probe(world, TUTTI_ANY, TUTTI_ANY, 0, NULL, NULL, NULL) == TUTTI_WOULD_WAIT);
}

/* The message of BSP is there, and no other; a broadcast runs before a get is done. */
static void in_turn(int k) {
  const int p = bsp_nprocs(), before = (bsp_pid() + p - 1) % p;
  tutti_data out = tutti_array(sent, N, TUTTI_INT64);
  int i, status, heard;
  bsp_get_tag(&status, &heard);
  CHECK(status == sizeof got[0] && heard == k);
  bsp_move(got, (int)sizeof got);
  CHECK(got[0] == before * 1000 + 1 + k);
  bsp_get_tag(&status, &heard);
  CHECK(status == -1);
  CHECK(tutti_barrier(tutti_world()) == TUTTI_OK);
  bsp_get(before, put, 0, got, (int)sizeof got);
  CHECK(tutti_bcast(tutti_world(), &out, k % p) == TUTTI_OK);
  for (i = 0; i < N; i++) CHECK(sent[i] == k % p * 1000 + i + k);
  bsp_sync();
  for (i = 0; i < N; i++) CHECK(got[i] == (before + p - 1) % p * 1000 + i + k + 7);
}

int main(void) {
  int64_t all = 0;
  int k, size = sizeof(int);
  bsp_begin(bsp_nprocs());
  CHECK(tutti_rank(tutti_world()) == bsp_pid() && tutti_size(tutti_world()) == bsp_nprocs());
  bsp_push_reg(put, (int)sizeof put);
  bsp_set_tagsize(&size);
  bsp_sync();
  for (k = 0; k < ROUNDS; k++) {
    all_at_once(k);
    in_turn(k);
  }
  tutti_data mine = tutti_array(&bad, 1, TUTTI_INT64), total = tutti_array(&all, 1, TUTTI_INT64);
  CHECK(tutti_allreduce(tutti_world(), &mine, &total, TUTTI_SUM) == TUTTI_OK);
  if (bsp_pid() == 0)
    printf("BSP and tutti on %d processes: %d rounds, %ld wrong\n", bsp_nprocs(), ROUNDS,
           (long)all);
  bsp_end();
  return all != 0;
}

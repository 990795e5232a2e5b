/* SPDX-License-Identifier: BSD-3-Clause
 * Moves long vectors for ever and looks at every byte of them, and at the bytes around them.
 * test_long_kills.py kills its processes. Ends with code 7 if a byte is wrong, and with 3 if an
 * operation fails because another process has gone. The argument is the seed; with a second one the
 * program moves so many vectors and ends. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti/tutti.h>
#include <tutti/tutti_runtime.h>

enum { guard = 4096, most_ranks = 4, most = 512 << 10 };
static const unsigned char guarded = 0xa5;

/* A buffer with guards on both sides. */
static unsigned char* buffer(void) {
  unsigned char* memory = malloc((size_t)most_ranks * most + 2 * guard);
  if (memory == NULL) exit(4);
  memset(memory, guarded, guard);
  memset(memory + guard + most_ranks * most, guarded, guard);
  return memory + guard;
}

static void wrong(const char* what, long turn) {
  fprintf(stderr, "long: a wrong byte %s, turn %ld\n", what, turn);
  exit(7);
}

static void check_guards(const unsigned char* bytes, long turn) {
  for (int i = 0; i < guard; ++i)
    if (bytes[i - guard] != guarded || bytes[most_ranks * most + i] != guarded)
      wrong("beside a buffer", turn);
}

static unsigned char byte_of(int rank, long turn, size_t i) {
  return (unsigned char)((size_t)(rank + 1) * 37 + (size_t)turn * 11 + i * 31 + i / 251);
}

static void fill(unsigned char* bytes, int rank, long turn, size_t count) {
  for (size_t i = 0; i < count; ++i) bytes[i] = byte_of(rank, turn, i);
}

static void check(const unsigned char* bytes, int rank, long turn, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (bytes[i] != byte_of(rank, turn, i)) wrong("in a result", turn);
}

/* Sends a message from one rank to the next, which takes it by its rank or by its key. */
static tutti_status pass_on(unsigned char* bytes, long turn, int from, int64_t count, int by_key) {
  const tutti_group world = tutti_world();
  const int rank = tutti_rank(world), to = (from + 1) % tutti_size(world);
  const tutti_data data = tutti_array(bytes, count, TUTTI_BYTE);
  const uint64_t key = 5;
  tutti_status status = TUTTI_OK;
  if (rank == from) {
    fill(bytes, from, turn, (size_t)count);
    status = by_key ? tutti_mail_send(tutti_endpoint(world, to), key, bytes, count)
                    : tutti_send(world, &data, to, 3);
  } else if (rank == to) {
    const tutti_match match = {sizeof match, tutti_endpoint(world, from), key, ~UINT64_C(0), NULL,
                               NULL};
    status = by_key ? tutti_mail_receive(&match, bytes, most, NULL)
                    : tutti_receive(world, &data, from, 3, NULL, NULL);
    if (status == TUTTI_OK) check(bytes, from, turn, (size_t)count);
  }
  return status;
}

/* Moves vectors by one operation and looks at the result. */
static tutti_status move(unsigned char* mine, unsigned char* result, long turn, uint64_t chance) {
  const tutti_group world = tutti_world();
  const int rank = tutti_rank(world), size = tutti_size(world);
  const size_t count = (64u << 10) + (size_t)(chance >> 33) % (most - (64u << 10));
  const int root = (int)((chance >> 20) % (uint64_t)size), kind = (int)((chance >> 50) % 6);
  if (kind > 3) return pass_on(result, turn, root, (int64_t)count, kind == 5);
  const int64_t elements = (int64_t)count * (kind == 0 ? 1 : size);
  const tutti_data part = tutti_array(mine, (int64_t)count, TUTTI_BYTE),
                   whole = tutti_array(result, elements, TUTTI_BYTE);
  const int full = kind == 3 || (kind == 1 && rank == root);
  tutti_status status;
  if (kind == 0) {
    if (rank == root) fill(result, root, turn, count);
    status = tutti_bcast(world, &whole, root);
    if (status == TUTTI_OK) check(result, root, turn, count);
    return status;
  }
  if (kind == 2) {
    for (int r = 0; rank == root && r < size; ++r) fill(result + (size_t)r * count, r, turn, count);
    status = tutti_scatter(world, rank == root ? &whole : NULL, &part, root);
    if (status == TUTTI_OK) check(mine, rank, turn, count);
    return status;
  }
  fill(mine, rank, turn, count);
  status = kind == 1 ? tutti_gather(world, &part, rank == root ? &whole : NULL, root)
                     : tutti_allgather(world, &part, &whole);
  for (int r = 0; status == TUTTI_OK && full && r < size; ++r)
    check(result + (size_t)r * count, r, turn, count);
  return status;
}

int main(int argc, char** argv) {
  uint64_t chance = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  const long turns = argc > 2 ? atol(argv[2]) : 0;
  if (tutti_init() != TUTTI_OK) return 1;
  if (tutti_size(tutti_world()) > most_ranks) return 5;
  unsigned char *mine = buffer(), *result = buffer();
  tutti_status status = TUTTI_OK;
  long turn = 0;
  for (; status == TUTTI_OK && (turns == 0 || turn < turns); ++turn) {
    chance = chance * 6364136223846793005U + 1442695040888963407U;
    status = move(mine, result, turn, chance);
  }
  check_guards(mine, turn);
  check_guards(result, turn);
  if (status != TUTTI_OK) return status == TUTTI_PEER_LEFT ? 3 : 6;
  return tutti_finalize() != TUTTI_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A student's allgather as a plug-in: in each round a rank hands the block that has come last to
 * the next rank of the ring.
 *
 *   cc -shared -fPIC ring.c -o ring.so $(pkg-config --cflags tutti)
 *   TUTTI_GENERATORS=./ring.so tutti draw allgather --algorithm my_ring -n 4
 */
#include <tutti/tutti_generator.h>

static int rounds(const tutti_schedule_shape* shape, void* data) {
  (void)data;
  return shape->p; /* round 0 copies a rank's own block */
}

static tutti_blocks block(tutti_buffer buffer, int number) {
  tutti_blocks one = {TUTTI_INPUT, 0, 1, 0, 1};
  one.buffer = buffer;
  one.first = number;
  return one;
}

static void emit(tutti_round* round, const tutti_schedule_shape* shape, int me, int t, void* data) {
  const int p = shape->p;
  const tutti_blocks own = block(TUTTI_INPUT, 0), place = block(TUTTI_OUTPUT, me),
                     leaves = block(TUTTI_OUTPUT, (me - t + 1 + p) % p),
                     comes = block(TUTTI_OUTPUT, (me - t + p) % p);
  (void)data;
  if (t == 0) {
    round->copy(round, &place, 1, &own, 1);
  } else {
    round->send(round, (me + 1) % p, &leaves, 1);
    round->receive(round, (me + p - 1) % p, &comes, 1);
  }
}

static void cost(tutti_terms* terms, const tutti_schedule_shape* shape, void* data) {
  (void)data;
  terms->alpha = shape->p - 1;
  terms->beta = (double)(shape->p - 1) / shape->p;
}

void tutti_generators(tutti_registrar* registrar) {
  tutti_generator ring = {sizeof ring, "my_ring", TUTTI_OP_ALLGATHER,
                          NULL,        NULL,      NULL,
                          0,           NULL,      rounds,
                          NULL,        NULL,      emit,
                          cost,        NULL};
  ring.about = "each rank hands the block that has come last to the next rank";
  ring.flags = TUTTI_CANDIDATE;
  registrar->add(registrar, &ring);
}

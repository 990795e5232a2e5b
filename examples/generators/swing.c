/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Swing's allreduce as a plug-in: De Sensi, Bonato, Saam, Hoefler, Swing, NSDI 2024. Partners swing
 * to the left and to the right of a rank, at distances 1, 1, 3, 5, 11, ... A torus has short ways
 * between them. The first half scatters the sums, the second half collects them.
 *
 *   cc -shared -fPIC swing.c -o swing.so $(pkg-config --cflags tutti)
 *   TUTTI_GENERATORS=./swing.so tutti verify allreduce --algorithm swing
 */
#include <tutti/tutti_generator.h>

enum { MOST = 1024 };

static int steps(int p) {
  int q = 0;
  while ((1 << q) < p) ++q;
  return q;
}

/* The partner of rank r in step s. */
static int partner(int p, int r, int s) {
  int distance = 0, term = 1, i;
  for (i = 0; i <= s; ++i, term *= -2) distance += term;
  return (((r % 2 == 0 ? r + distance : r - distance) % p) + p) % p;
}

/* Lists the blocks whose sums rank r still has, or passes on, from step s on. */
static int reached(int p, int r, int s, tutti_buffer buffer, tutti_blocks* list) {
  int count = 1, later;
  list[0].buffer = buffer;
  list[0].first = r;
  list[0].count = list[0].times = 1;
  list[0].stride = 0;
  for (later = s; later < steps(p); ++later)
    count += reached(p, partner(p, r, later), later + 1, buffer, list + count);
  return count;
}

static int applies(const tutti_schedule_shape* shape, void* data) {
  (void)data;
  return shape->p > 1 && shape->p <= MOST && (shape->p & (shape->p - 1)) == 0;
}
static int rounds(const tutti_schedule_shape* shape, void* data) {
  (void)data;
  return 2 * steps(shape->p);
}
static int parts(const tutti_schedule_shape* shape, void* data) {
  (void)data;
  return shape->p;
}

static void emit(tutti_round* round, const tutti_schedule_shape* shape, int me, int t, void* data) {
  static tutti_blocks mine[MOST], theirs[MOST], held[MOST];
  const int p = shape->p, q = steps(p), s = t < q ? t : 2 * q - 1 - t;
  const int other = partner(p, me, s);
  const tutti_buffer from = t == 0 ? TUTTI_INPUT : TUTTI_OUTPUT;
  tutti_operand sum[2];
  int count;
  (void)data;
  if (t < q) { /* scatter the sums: the partner gets those that it leads to */
    count = reached(p, other, s + 1, from, theirs);
    round->send(round, other, theirs, count);
    count = reached(p, me, s + 1, TUTTI_OUTPUT, mine);
    count = reached(p, me, s + 1, from, held);
    sum[0].from = TUTTI_LOCAL;
    sum[0].blocks = held;
    sum[0].count = count;
    sum[1].from = other;
    sum[1].blocks = NULL;
    sum[1].count = 0;
    round->receive_combine(round, mine, count, sum, 2);
  } else { /* collect them on the way back */
    count = reached(p, me, s + 1, TUTTI_OUTPUT, mine);
    round->send(round, other, mine, count);
    count = reached(p, other, s + 1, TUTTI_OUTPUT, theirs);
    round->receive(round, other, theirs, count);
  }
}

void tutti_generators(tutti_registrar* registrar) {
  tutti_generator swing = {sizeof swing,
                           "swing",
                           TUTTI_OP_ALLREDUCE,
                           NULL,
                           NULL,
                           NULL,
                           0,
                           applies,
                           rounds,
                           parts,
                           NULL,
                           emit,
                           NULL,
                           NULL};
  swing.about = "partners at distances 1, 1, 3, 5, 11, ... scatter the sums and collect them";
  swing.source = "De Sensi, Bonato, Saam, Hoefler, Swing, NSDI 2024";
  swing.needs = "a power of two, 2 to 1024";
  swing.flags = TUTTI_COMMUTATIVE_ONLY;
  registrar->add(registrar, &swing);
}

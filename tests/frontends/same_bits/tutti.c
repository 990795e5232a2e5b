// SPDX-License-Identifier: BSD-3-Clause
// tutti's own interface. Elements of 8 and 16 bytes may be cut from each other, others may not.
#include <tutti/tutti.h>
#include <tutti/tutti_runtime.h>

#include "same_bits.h"

const char* const interface_name = "tutti";
const struct kind* const kinds = own_kinds;
const int kind_count = OWN_KINDS, combines_for_all = 1;

static tutti_op operators[OWN_KINDS];

static void separately(void* into, const void* left, const void* right, int64_t count, void* kind) {
  ((const struct kind*)kind)->combine(into, left, right, (int)count);
}

static int wholly(void* into, const void* left, const void* right, int64_t count, void* kind) {
  const struct kind* const of = kind;
  of->combine(into, left, right, (int)count / of->doubles);
  return 0;
}

int start(int* argc, char*** argv, int* rank) {
  (void)argc;
  (void)argv;
  tutti_init();
  *rank = tutti_rank(tutti_world());
  for (int i = 0; i < SUM; ++i) {
    void* const kind = (void*)(uintptr_t)&kinds[i];
    const int commutes = kinds[i].ordered ? 0 : TUTTI_COMMUTATIVE;
    if (kinds[i].doubles > 2) {
      tutti_op_create_fallible(TUTTI_DOUBLE, wholly, commutes | TUTTI_WHOLE_VECTORS, kind,
                               &operators[i]);
    } else {
      tutti_op_create(kinds[i].doubles == 1 ? TUTTI_DOUBLE : TUTTI_COMPLEX_DOUBLE, separately,
                      commutes, kind, &operators[i]);
    }
  }
  operators[SUM] = TUTTI_SUM;
  operators[MAX] = TUTTI_MAX;
  return tutti_size(tutti_world());
}

void finish(void) {
  tutti_finalize();
}

static tutti_data vector(const struct kind* kind, double* x, int count) {
  if (kind->doubles == 2) return tutti_array(x, count, TUTTI_COMPLEX_DOUBLE);
  return tutti_array(x, (int64_t)count * kind->doubles, TUTTI_DOUBLE);
}

int takes_whole_vectors(const struct kind* kind) {
  return kind->doubles > 2;
}

void combine_for_all(const struct kind* kind, double* x, int count) {
  const tutti_data data = vector(kind, x, count);
  tutti_allreduce(tutti_world(), &data, &data, operators[kind - kinds]);
}

int combine_at(const struct kind* kind, double* x, int count, int root) {
  const tutti_data data = vector(kind, x, count);
  tutti_reduce(tutti_world(), &data, &data, operators[kind - kinds], root);
  return 1;
}

void collect(uint64_t mine, uint64_t* all) {
  const tutti_data input = tutti_array(&mine, 1, TUTTI_UINT64);
  const tutti_data output = tutti_array(all, tutti_size(tutti_world()), TUTTI_UINT64);
  tutti_allgather(tutti_world(), &input, &output);
}

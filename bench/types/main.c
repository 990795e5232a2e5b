// SPDX-License-Identifier: BSD-3-Clause
// bench_types [ELEMENTS [TYPE...]]: the time of an allreduce (sum) of as many elements of each
// type. The types take turns, so that all meet the same machine, and each sample is a series of
// calls that takes about 2 ms. A line for each type has the median of the slowest rank's times and
// the ratio to that of the first type. The default is 262144 elements (1 MiB in float32) of
// float32, bfloat16, float16, float64, int8 and int32.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tutti/tutti.h>

enum { most_types = 16, samples = 101 };
static const double sample_seconds = 0.002;

typedef struct {
  const char* name;
  tutti_type type;
  int bytes;
} named_type;
// The names are not asked of the library, so that an older one can be measured, too.
static const named_type known[] = {
    {"float32", TUTTI_FLOAT, 4},  {"bfloat16", TUTTI_BFLOAT16, 2}, {"float16", TUTTI_FLOAT16, 2},
    {"float64", TUTTI_DOUBLE, 8}, {"int8", TUTTI_INT8, 1},         {"int32", TUTTI_INT32, 4},
    {"int64", TUTTI_INT64, 8},    {"uint8", TUTTI_UINT8, 1},       {"int16", TUTTI_INT16, 2},
    {"uint16", TUTTI_UINT16, 2},  {"uint32", TUTTI_UINT32, 4},     {"uint64", TUTTI_UINT64, 8},
    {"bool", TUTTI_BOOL, 1},
};
enum { known_types = sizeof known / sizeof *known, types_by_default = 6 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static const named_type* find(const char* name) {
  for (int i = 0; i < known_types; i++)
    if (strcmp(known[i].name, name) == 0) return &known[i];
  tutti_abort(2, "bench_types [ELEMENTS [TYPE...]], with types such as float32");
  return NULL;
}

// Times one call of a series on the slowest rank.
static double sample(const tutti_data* in, const tutti_data* out, int calls) {
  double mine = 0, slowest = 0;
  const tutti_data from = tutti_array(&mine, 1, TUTTI_DOUBLE),
                   to = tutti_array(&slowest, 1, TUTTI_DOUBLE);
  tutti_barrier(tutti_world());
  const double begin = now();
  for (int i = 0; i < calls; i++) tutti_allreduce(tutti_world(), in, out, TUTTI_SUM);
  mine = (now() - begin) / calls;
  tutti_allreduce(tutti_world(), &from, &to, TUTTI_MAX);
  return slowest;
}

static int compare(const void* left, const void* right) {
  const double a = *(const double*)left, b = *(const double*)right;
  return (a > b) - (a < b);
}

int main(int argc, char** argv) {
  tutti_init();
  const int64_t elements = argc > 1 ? strtoll(argv[1], NULL, 10) : 262144;
  const int types = argc > 2 ? argc - 2 : types_by_default;
  if (elements < 1 || types > most_types) tutti_abort(2, "too few elements, or too many types");
  static double times[most_types][samples];
  tutti_data in[most_types], out[most_types];
  int calls[most_types];
  for (int t = 0; t < types; t++) {
    const named_type* type = argc > 2 ? find(argv[2 + t]) : &known[t];
    in[t] = tutti_array(calloc((size_t)elements, (size_t)type->bytes), elements, type->type);
    out[t] = tutti_array(calloc((size_t)elements, (size_t)type->bytes), elements, type->type);
    calls[t] = 1;
    calls[t] = (int)(sample_seconds / sample(&in[t], &out[t], 3)) + 1;
  }
  for (int s = 0; s < samples; s++)
    for (int t = 0; t < types; t++) times[t][s] = sample(&in[t], &out[t], calls[t]);
  for (int t = 0; t < types; t++) qsort(times[t], samples, sizeof times[t][0], compare);
  for (int t = 0; t < types && tutti_rank(tutti_world()) == 0; t++) {
    const double median = times[t][samples / 2];
    printf("%-9s %9.1f us (least %9.1f), %5.2f times as fast as %s\n",
           argc > 2 ? argv[2 + t] : known[t].name, 1e6 * median, 1e6 * times[t][0],
           times[0][samples / 2] / median, argc > 2 ? argv[2] : known[0].name);
  }
  return tutti_finalize();
}

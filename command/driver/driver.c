/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The program of one rank. It verifies every cell, then takes samples of all cells in turn until
 * the time is over, at least one of each. Rank 0 prints one line per cell and per sample.
 */
#include "driver/driver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { most_cells = 1024, most_calls = 2000, fewest_calls = 2, usage = 2, line_bytes = 64 };

/* A cell and the ways to do it. If the cell names no plans, its only way is the library's own
 * choice. */
typedef struct {
  bench_cell cell;
  int ways;
  int named; /* true if the ways are named plans */
  const char* plans[bench_most_plans];
  int way[bench_most_plans];
  int calls[bench_most_plans]; /* calls in a sample */
} measured;

typedef struct {
  const char* name;
  double seconds;
  int rounds;       /* least number, even if `seconds` have passed */
  double sample_us; /* time that a sample should take */
  bench_shared* shared;
  /* `everybody` has inputs and outputs in memory that others of the job reach, and a root `at_root`
   * its input. */
  bench_holder shares;
  bench_memory memory;
  measured cells[most_cells];
  int count;
} bench;

static bench_shared* map_lines(const char* path) {
  const int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return NULL;
  void* address = mmap(NULL, sizeof(bench_shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return address == MAP_FAILED ? NULL : address;
}

/* Schedulers that share time by session prefer a session with a low nice value. This function
 * asks for the lowest, if the user may. */
static void go_first(void) {
  FILE* file = fopen("/proc/self/autogroup", "w");
  if (file == NULL) return;
  fputs("-20", file);
  fclose(file);
}

/* Measures the line time between ranks 0 and 1, while the others sleep. */
static double probe(bench* b) {
  static long probes = 0;
  if (b->memory.p < 2) return 0;
  ++probes;
  library_barrier();
  if (b->memory.me < 2) {
    const double one_way = tutti_bench_line_time(&b->shared->lines, b->memory.me);
    if (b->memory.me == 0) {
      b->shared->line_time = one_way;
      __atomic_store_n(&b->shared->probes_done, probes, __ATOMIC_RELEASE);
    }
  }
  while (__atomic_load_n(&b->shared->probes_done, __ATOMIC_ACQUIRE) < probes) usleep(50);
  const double result = b->shared->line_time;
  library_barrier(); /* no new probe before all have read the result */
  return result;
}

static int operation_named(const char* name) {
  for (int op = 0; op < bench_operation_count; ++op) {
    if (strcmp(bench_operations[op].name, name) == 0) return op;
  }
  return -1;
}

/* Reads the part after the bytes in "8/mst/tree:branches=2". */
static int parse_plans(measured* m, char* list) {
  m->ways = 1;
  m->way[0] = own_choice;
  if (list == NULL) return 1;
  m->named = 1;
  for (m->ways = 0; list != NULL; ++m->ways) {
    if (m->ways == bench_most_plans) return 0;
    m->plans[m->ways] = list;
    list = strchr(list, '/');
    if (list != NULL) *list++ = '\0';
  }
  return 1;
}

/* Reads operations and bytes from a list such as "bcast:8,bcast:64". */
static int parse_cells(bench* b, char* list) {
  for (char* word = strtok(list, ","); word != NULL; word = strtok(NULL, ",")) {
    char* colon = strchr(word, ':');
    if (colon == NULL || b->count == most_cells) return 0;
    *colon = '\0';
    const int op = operation_named(word);
    char* plans = strchr(colon + 1, '/');
    if (plans != NULL) *plans++ = '\0';
    const int64_t bytes = atoll(colon + 1);
    if (op < 0 || (bytes < (int64_t)sizeof(double) && bench_operations[op].content != nothing))
      return 0;
    measured* m = &b->cells[b->count++];
    m->cell = (bench_cell){op, bytes / (int64_t)sizeof(double)};
    if (!parse_plans(m, plans)) return 0;
  }
  return b->count > 0;
}

static int add_ways(bench* b) {
  for (int i = 0; i < b->count; ++i) {
    measured* m = &b->cells[i];
    for (int w = 0; m->named && w < m->ways; ++w) {
      m->way[w] = library_add_way(m->cell.op, m->plans[w]);
      if (m->way[w] == own_choice) return 0;
    }
  }
  return 1;
}

static double* buffer(bench_holder shares, size_t bytes) {
  return shares == everybody ? library_shared_memory(bytes) : aligned_alloc(line_bytes, bytes);
}

static int allocate(bench* b) {
  int64_t inputs = 1, outputs = 1;
  for (int i = 0; i < b->count; ++i) {
    const int64_t in = bench_input_elements(&b->cells[i].cell, b->memory.p);
    const int64_t out = bench_output_elements(&b->cells[i].cell, b->memory.p);
    inputs = in > inputs ? in : inputs;
    outputs = out > outputs ? out : outputs;
  }
  /* Touches the pages now, so that the first sample does not. */
  const size_t in_bytes =
      ((size_t)inputs * sizeof(double) + line_bytes - 1) / line_bytes * line_bytes;
  const size_t out_bytes =
      ((size_t)outputs * sizeof(double) + line_bytes - 1) / line_bytes * line_bytes;
  b->memory.input = buffer(b->shares, in_bytes);
  b->memory.pattern = aligned_alloc(line_bytes, in_bytes);
  b->memory.output = buffer(b->shares, out_bytes);
  if (b->memory.input == NULL || b->memory.pattern == NULL || b->memory.output == NULL) return 0;
  if (b->shares == at_root) {
    b->memory.of_others = b->memory.input;
    b->memory.of_root = library_shared_memory(in_bytes);
    if (b->memory.of_root == NULL) return 0;
    memset(b->memory.of_root, 0, in_bytes);
  }
  memset(b->memory.input, 0, in_bytes);
  memset(b->memory.output, 0, out_bytes);
  bench_fill(&b->memory, inputs);
  return 1;
}

static void print_cell(const bench* b, const measured* m, int w, int verified) {
  if (b->memory.me != 0) return;
  printf("{\"library\":\"%s\",\"op\":\"%s\",\"bytes\":%lld,\"verified\":%s,\"way\":%d%s}\n",
         b->name, bench_operations[m->cell.op].name,
         (long long)m->cell.n * (long long)sizeof(double), verified ? "true" : "false", w,
         library_method());
  fflush(stdout);
}

/* Returns the time of a call in us, the same on all ranks. It is the least of several trials: an
 * interrupted trial would make all series of the cell so short that they measure mainly their
 * first call. */
static double estimate(bench* b, const bench_cell* cell) {
  double least = bench_time(cell, &b->memory, fewest_calls);
  for (int i = 0; i < 3 && (i == 0 || least < b->sample_us); ++i) {
    const double us = bench_time(cell, &b->memory, least < b->sample_us / 100 ? 20 : fewest_calls);
    least = us < least ? us : least;
  }
  return least;
}

/* Verifies and estimates one way of a cell. Returns false on every rank if one of them saw a
 * wrong result. */
static int introduce(bench* b, measured* m, int w) {
  library_take(m->way[w]);
  library_prepare(&m->cell, &b->memory);
  library_watch(1);
  const int right = bench_verify(&m->cell, &b->memory);
  library_watch(0); /* the agreement on the result must not be watched */
  const int good = library_max(right ? 0 : 1) < 0.5;
  print_cell(b, m, w, good);
  if (!good) return 0;
  const double us = estimate(b, &m->cell);
  const double calls = us > 0 ? b->sample_us / us : most_calls;
  m->calls[w] = calls > most_calls ? most_calls : calls < fewest_calls ? fewest_calls : (int)calls;
  return 1;
}

/* A sample has one of these for each way. */
typedef struct {
  double us[bench_most_plans];
  double in_place[bench_most_plans], together[bench_most_plans]; /* messages of a call */
  int tells; /* true if the library has counted these messages */
} sample;

/* Measures one way. Messages are counted for all ranks together. */
static void time_way(bench* b, const measured* m, int w, sample* s) {
  bench_sent_long before, after;
  library_take(m->way[w]);
  s->tells = library_sent_long(&before) == 0;
  s->us[w] = bench_time(&m->cell, &b->memory, m->calls[w]);
  if (!s->tells) return;
  (void)library_sent_long(&after);
  s->in_place[w] = library_sum(after.in_place - before.in_place) / m->calls[w];
  s->together[w] = library_sum(after.together - before.together) / m->calls[w];
}

/* Prints one number, or a list of them if plans are named. */
static void print_numbers(const measured* m, const char* what, const double* numbers) {
  printf(",\"%s\":%s", what, m->named ? "[" : "");
  for (int w = 0; w < m->ways; ++w) printf(w > 0 ? ",%.5f" : "%.5f", numbers[w]);
  if (m->named) printf("]");
}

static void print_sample(const bench* b, const measured* m, const sample* s, double line_us,
                         const char* placement) {
  printf("{\"library\":\"%s\",\"op\":\"%s\",\"bytes\":%lld", b->name,
         bench_operations[m->cell.op].name, (long long)m->cell.n * (long long)sizeof(double));
  print_numbers(m, "us", s->us);
  if (s->tells) {
    print_numbers(m, "in_place", s->in_place);
    print_numbers(m, "together", s->together);
  }
  printf(",\"line_us\":%.4f,\"placement\":\"%s\"}\n", line_us, placement);
  fflush(stdout);
}

/* Measures the ways one right after the other, and in every second round in the opposite order. */
static void take_sample(bench* b, const measured* m, int round) {
  sample s;
  library_prepare(&m->cell, &b->memory);
  const double before = probe(b);
  for (int i = 0; i < m->ways; ++i) {
    const int w = round % 2 == 0 ? i : m->ways - 1 - i;
    time_way(b, m, w, &s);
  }
  const double after = probe(b);
  if (b->memory.me == 0) {
    print_sample(b, m, &s, before,
                 b->memory.p < 2 ? "alone" : tutti_bench_placement(before, after));
  }
}

static int measure(bench* b) {
  const double start = tutti_bench_seconds();
  for (int i = 0; i < b->count; ++i) {
    for (int w = 0; w < b->cells[i].ways; ++w) {
      if (!introduce(b, &b->cells[i], w)) return 0;
    }
  }
  for (int round = 0;; ++round) {
    for (int i = 0; i < b->count; ++i) {
      const int over = b->memory.me == 0 && tutti_bench_seconds() - start > b->seconds;
      if (round >= b->rounds && library_max(over) > 0.5) return 1;
      take_sample(b, &b->cells[i], round);
    }
  }
}

/* Memory of the library is gone when library_finish() has returned. */
static void release(bench* b) {
  free(b->memory.pattern);
  if (b->shares == everybody) return;
  free(b->shares == at_root ? b->memory.of_others : b->memory.input);
  free(b->memory.output);
}

static bench_holder sharing_named(const char* word) {
  if (strcmp(word, "shared-by-root") == 0) return at_root;
  return strcmp(word, "shared") == 0 ? everybody : nobody;
}

int bench_driver(int argc, char** argv) {
  static bench b; /* too large for the stack */
  if (argc > 6) b.shares = sharing_named(argv[argc - 1]);
  if (b.shares != nobody) --argc;
  if (argc != 6 && argc != 7) {
    fprintf(stderr,
            "usage: %s NAME LINES_FILE SECONDS MICROSECONDS CELLS [ROOT] [shared|shared-by-root]\n",
            argv[0]);
    return usage;
  }
  go_first();
  b.name = argv[1];
  const char* const rounds = strchr(argv[3], '/');
  b.seconds = atof(argv[3]);
  b.rounds = rounds == NULL ? 1 : atoi(rounds + 1);
  b.sample_us = atof(argv[4]);
  b.memory.root = argc == 7 ? atoi(argv[6]) : -1;
  b.shared = map_lines(argv[2]);
  if (b.shared == NULL) {
    fprintf(stderr, "tutti bench: the shared file '%s' cannot be used: %s\n", argv[2],
            strerror(errno));
    return usage;
  }
  if (!parse_cells(&b, argv[5])) {
    fprintf(stderr, "tutti bench: the driver does not understand its arguments\n");
    return usage;
  }
  if (library_start(&b.memory.me, &b.memory.p) != 0) return usage;
  if (!add_ways(&b)) library_abort();
  if (!allocate(&b)) {
    fprintf(stderr, "tutti bench: rank %d gets no %smemory for its buffers\n", b.memory.me,
            b.shares == nobody ? "" : "shared ");
    library_abort();
  }
  const int good = measure(&b);
  library_finish();
  release(&b);
  return good ? 0 : 1;
}

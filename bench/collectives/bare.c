/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs the driver without a library: two processes and shared memory, for barriers and for
 * operations that only move data. A call has at most one message each way and a copy of the data
 * that stay, chunk by chunk in turn. The time of the best method is a reference for the
 * libraries' times.
 *
 * Arguments: METHOD, then those of the driver. Methods:
 *   small: a ring of 64 KiB.
 *   large: a ring of 4 MiB, which the sender's cache cannot hold.
 *   stream: the same ring with non-temporal stores, also for data that stay.
 *   direct: the receiver reads the sender's buffer by process_vm_readv.
 *   in-place: the receiver copies from the sender's buffer, for buffers in shared memory.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "driver/driver.h"

enum {
  chunk_bytes = 16 * 1024,
  most_chunks = 256,
  chunks_of_small = 4,
  inline_bytes = 48,
  inline_slots = 64
};
static const size_t area_bytes = (size_t)256 << 20; /* of a side, more than any buffers need */

typedef enum { small, large, stream, direct, in_shared, methods } bare_method;
static const char* const names[methods] = {"small", "large", "stream", "direct", "in-place"};

/* A message that fits is in the same cache line as its number. */
typedef struct {
  _Alignas(64) uint64_t number;
  char data[inline_bytes];
} bare_line;

typedef struct {
  _Alignas(64) uint64_t sent;  /* chunks, or messages in the sender's buffer */
  _Alignas(64) uint64_t taken; /* what this side has taken from the other */
  _Alignas(64) uint64_t barriers;
  const void* address;
  double value;
  pid_t pid;
  bare_line lines[inline_slots];
  _Alignas(4096) char ring[most_chunks][chunk_bytes];
} bare_side;

static struct { bare_side side[2]; } * shared;
static bare_method method;
static int rank_here;
static bare_side *mine, *other;
static const bench_memory* buffers;
static size_t bytes; /* length of a part */
static uint64_t barriers, sent_lines, taken_lines;
static char* areas; /* memory for the buffers of both sides */
static size_t area_used;

static void publish(uint64_t* counter, uint64_t value) {
  __atomic_store_n(counter, value, __ATOMIC_RELEASE);
}

static void copy_in(char* to, const char* from, size_t size) {
#if defined(__x86_64__)
  if (method == stream) {
    size_t done = 0;
    for (; done + sizeof(__m128i) <= size; done += sizeof(__m128i))
      _mm_stream_si128((__m128i*)(void*)(to + done),
                       _mm_loadu_si128((const __m128i*)(const void*)(from + done)));
    memcpy(to + done, from + done, size - done);
    _mm_sfence();
    return;
  }
#endif
  memcpy(to, from, size);
}

static uint64_t chunks(void) {
  return method == small ? chunks_of_small : most_chunks;
}

/* The work of one process in a call; a NULL stands for no data of that kind. */
typedef struct {
  const char* sent;
  char* received;
  const char* own; /* copied to `kept` */
  char* kept;
} bare_part;

static void send_line(const char* from) {
  bare_line* line = &mine->lines[sent_lines % inline_slots];
  ++sent_lines;
  /* Waits each half round, so that no line is overwritten before the other process has read it. */
  if (sent_lines % (inline_slots / 2) == 0)
    tutti_bench_await(&other->taken, sent_lines - inline_slots / 2);
  memcpy(line->data, from, bytes);
  publish(&line->number, sent_lines);
}

static void take_line(char* to) {
  bare_line* line = &other->lines[taken_lines % inline_slots];
  ++taken_lines;
  tutti_bench_await(&line->number, taken_lines);
  memcpy(to, line->data, bytes);
  if (taken_lines % (inline_slots / 2) == 0) publish(&mine->taken, taken_lines);
}

static void run_lines(const bare_part* part) {
  if (part->sent) send_line(part->sent);
  if (part->own) memcpy(part->kept, part->own, bytes);
  if (part->received) take_line(part->received);
}

static void send_chunk(const char* from, size_t size) {
  const uint64_t number = mine->sent;
  if (number >= chunks()) tutti_bench_await(&other->taken, number - chunks() + 1);
  copy_in(mine->ring[number % chunks()], from, size);
  publish(&mine->sent, number + 1);
}

static void take_chunk(char* to, size_t size) {
  const uint64_t number = mine->taken;
  tutti_bench_await(&other->sent, number + 1);
  memcpy(to, other->ring[number % chunks()], size);
  publish(&mine->taken, number + 1);
}

static void run_chunks(const bare_part* part) {
  for (size_t done = 0; done < bytes; done += chunk_bytes) {
    const size_t size = bytes - done < chunk_bytes ? bytes - done : chunk_bytes;
    if (part->sent) send_chunk(part->sent + done, size);
    if (part->own) copy_in(part->kept + done, part->own + done, size);
    if (part->received) take_chunk(part->received + done, size);
  }
}

static int read_by_kernel(char* to) {
  size_t done = 0;
  while (done < bytes) {
    const struct iovec here = {to + done, bytes - done};
    const struct iovec there = {(char*)(uintptr_t)other->address + done, bytes - done};
    const ssize_t got = process_vm_readv(other->pid, &here, 1, &there, 1, 0);
    if (got <= 0) return 1;
    done += (size_t)got;
  }
  return 0;
}

/* Both sides have the areas at the same address. */
static int read_from_sender(char* to) {
  tutti_bench_await(&other->sent, mine->taken + 1);
  if (method == in_shared)
    memcpy(to, other->address, bytes);
  else if (read_by_kernel(to) != 0)
    return 1;
  publish(&mine->taken, mine->taken + 1);
  return 0;
}

static int run_direct(const bare_part* part) {
  if (part->sent) {
    mine->address = part->sent;
    publish(&mine->sent, mine->sent + 1);
  }
  if (part->own) copy_in(part->kept, part->own, bytes);
  if (part->received && read_from_sender(part->received) != 0) return 1;
  if (part->sent)
    tutti_bench_await(&other->taken, mine->sent); /* after this, the buffer may be written again */
  return 0;
}

int library_start(int* me, int* p) {
  *me = rank_here;
  *p = 2;
  mine = &shared->side[rank_here];
  other = &shared->side[1 - rank_here];
  mine->pid = getpid();
  memset(mine->ring, 0, sizeof mine->ring);
  library_barrier();
  return 0;
}

void library_finish(void) {}

void library_abort(void) {
  exit(1);
}

/* Resets all counters, because those of chunks, messages and lines are not comparable. */
void library_prepare(const bench_cell* cell, const bench_memory* memory) {
  buffers = memory;
  bytes = (size_t)cell->n * sizeof(double);
  if (method == in_shared && area_used == 0) {
    fprintf(stderr, "bench_bare: in-place needs the word shared\n");
    library_abort();
  }
  library_barrier();
  mine->sent = mine->taken = sent_lines = taken_lines = 0;
  memset(mine->lines, 0, sizeof mine->lines);
  library_barrier();
}

/* Returns the offset of a rank's part in a buffer that has one part for each rank. */
static size_t place_of(bench_extent extent, int rank) {
  return extent == part_per_rank ? (size_t)rank * bytes : 0;
}

static int part_of(int op, int root, bare_part* part) {
  const bench_operation* what = &bench_operations[op];
  if (what->content != data_of_root && what->content != data_of_senders) return 1;
  const int rank_there = 1 - rank_here;
  const int i_give = bench_holds(what->input, rank_here, root),
            i_get = bench_holds(what->output, rank_here, root);
  char *in = (char*)buffers->input,
       *out = what->output_extent == in_place ? in : (char*)buffers->output;
  *part = (bare_part){NULL, NULL, NULL, NULL};
  if (i_give && bench_holds(what->output, rank_there, root))
    part->sent = in + place_of(what->input_extent, rank_there);
  if (i_get && bench_holds(what->input, rank_there, root)) {
    part->received = out + place_of(what->output_extent, rank_there);
  }
  if (i_give && i_get && out != in) {
    part->own = in + place_of(what->input_extent, rank_here);
    part->kept = out + place_of(what->output_extent, rank_here);
  }
  return 0;
}

int library_call(int op, int root) {
  if (op == bench_op_barrier) {
    library_barrier();
    return 0;
  }
  bare_part part;
  if (part_of(op, root, &part) != 0) return 1;
  if (bytes <= inline_bytes)
    run_lines(&part);
  else if (method == direct || method == in_shared)
    return run_direct(&part);
  else
    run_chunks(&part);
  return 0;
}

void* library_shared_memory(size_t size) {
  const size_t begin = area_used;
  if (size > area_bytes - begin) return NULL;
  area_used += size;
  return areas + (size_t)rank_here * area_bytes + begin;
}

void library_barrier(void) {
  publish(&mine->barriers, ++barriers);
  tutti_bench_await(&other->barriers, barriers);
}

static double both(double value, int greater) {
  mine->value = value;
  library_barrier();
  const double theirs = other->value;
  library_barrier();
  return greater ? (value > theirs ? value : theirs) : value + theirs;
}

double library_max(double value) {
  return both(value, 1);
}

double library_sum(double value) {
  return both(value, 0);
}

int main(int argc, char** argv) {
  while (argc > 1 && method < methods && strcmp(argv[1], names[method]) != 0) ++method;
  if (argc < 2 || method == methods) {
    fprintf(stderr,
            "usage: %s small|large|stream|direct|in-place NAME LINES_FILE SECONDS MICROSECONDS "
            "CELLS [shared]\n",
            argv[0]);
    return 2;
  }
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  areas = mmap(NULL, 2 * area_bytes, PROT_READ | PROT_WRITE,
               MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (shared == MAP_FAILED || areas == MAP_FAILED) return 1;
  const pid_t child = fork();
  if (child < 0) return 1;
  rank_here = child == 0;
  const int code = bench_driver(argc - 1, argv + 1);
  if (child == 0) return code;
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return 1;
  return code;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The driver on no library: two processes and shared memory, for barriers and broadcasts only. A broadcast between two
 * processes is one message, so its time is what this machine takes to bring so many bytes from one private buffer to another
 * that way; the best way is the mark beside what libraries take.
 *
 * Arguments: METHOD, then those of the driver. Methods: small (a ring of 64 KiB), large (a ring of 4 MiB, which the
 * sender's cache does not hold), stream (the same, written past the caches), direct (the receiver reads the sender's
 * buffer by process_vm_readv).
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

#include "collectives/driver.h"

enum { chunk_bytes = 16 * 1024, most_chunks = 256, chunks_of_small = 4, inline_bytes = 48, inline_slots = 64 };

typedef enum { small, large, stream, direct, methods } bare_method;
static const char* const names[methods] = {"small", "large", "stream", "direct"};

/* A message that fits stands in the line of its number. */
typedef struct {
  _Alignas(64) uint64_t number;
  char data[inline_bytes];
} bare_line;

typedef struct {
  _Alignas(64) uint64_t sent;  /* chunks, or messages that lie in the sender's buffer */
  _Alignas(64) uint64_t taken; /* by the other */
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
static double* buffer;
static size_t bytes;
static uint64_t barriers, sent_lines, taken_lines;

static void publish(uint64_t* counter, uint64_t value) {
  __atomic_store_n(counter, value, __ATOMIC_RELEASE);
}

static void copy_in(char* to, const char* from, size_t size) {
#if defined(__x86_64__)
  if (method == stream) {
    size_t done = 0;
    for (; done + sizeof(__m128i) <= size; done += sizeof(__m128i))
      _mm_stream_si128((__m128i*)(void*)(to + done), _mm_loadu_si128((const __m128i*)(const void*)(from + done)));
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

static void send_line(void) {
  bare_line* line = &mine->lines[sent_lines % inline_slots];
  ++sent_lines;
  if (sent_lines % (inline_slots / 2) == 0) /* until then nothing is overwritten that the other has not taken */
    tutti_bench_await(&other->taken, sent_lines - inline_slots / 2);
  memcpy(line->data, buffer, bytes);
  publish(&line->number, sent_lines);
}

static void take_line(void) {
  bare_line* line = &other->lines[taken_lines % inline_slots];
  ++taken_lines;
  tutti_bench_await(&line->number, taken_lines);
  memcpy(buffer, line->data, bytes);
  if (taken_lines % (inline_slots / 2) == 0) publish(&mine->taken, taken_lines);
}

static void send_chunks(void) {
  uint64_t number = mine->sent;
  for (size_t done = 0; done < bytes; done += chunk_bytes) {
    if (number >= chunks()) tutti_bench_await(&other->taken, number - chunks() + 1);
    const size_t size = bytes - done < chunk_bytes ? bytes - done : chunk_bytes;
    copy_in(mine->ring[number % chunks()], (const char*)buffer + done, size);
    publish(&mine->sent, ++number);
  }
}

static void take_chunks(void) {
  uint64_t number = mine->taken;
  for (size_t done = 0; done < bytes; done += chunk_bytes) {
    tutti_bench_await(&other->sent, number + 1);
    const size_t size = bytes - done < chunk_bytes ? bytes - done : chunk_bytes;
    memcpy((char*)buffer + done, other->ring[number % chunks()], size);
    publish(&mine->taken, ++number);
  }
}

static void send_direct(void) {
  mine->address = buffer;
  publish(&mine->sent, mine->sent + 1);
  tutti_bench_await(&other->taken, mine->sent); /* then the buffer may be written again */
}

static int take_direct(void) {
  tutti_bench_await(&other->sent, mine->taken + 1);
  size_t done = 0;
  while (done < bytes) {
    const struct iovec to = {(char*)buffer + done, bytes - done};
    const struct iovec from = {(char*)(uintptr_t)other->address + done, bytes - done};
    const ssize_t got = process_vm_readv(other->pid, &to, 1, &from, 1, 0);
    if (got <= 0) return 1;
    done += (size_t)got;
  }
  publish(&mine->taken, mine->taken + 1);
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

/* Counters of chunks, of messages, and of lines must not be taken for each other. */
void library_prepare(const bench_cell* cell, const bench_memory* memory) {
  buffer = memory->input;
  bytes = (size_t)cell->n * sizeof(double);
  library_barrier();
  mine->sent = mine->taken = sent_lines = taken_lines = 0;
  memset(mine->lines, 0, sizeof mine->lines);
  library_barrier();
}

int library_call(int op, int root) {
  const int sends = root == rank_here;
  if (op == bench_op_barrier) {
    library_barrier();
  } else if (bytes <= inline_bytes) {
    sends ? send_line() : take_line();
  } else if (method != direct) {
    sends ? send_chunks() : take_chunks();
  } else if (!sends) {
    return take_direct();
  } else {
    send_direct();
  }
  return op == bench_op_barrier || op == bench_op_bcast ? 0 : 1;
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

void library_watch(int on) {
  (void)on;
}

const char* library_method(void) {
  return "";
}

int main(int argc, char** argv) {
  while (argc > 1 && method < methods && strcmp(argv[1], names[method]) != 0) ++method;
  if (argc < 2 || method == methods) {
    fprintf(stderr, "usage: %s small|large|stream|direct NAME LINES_FILE SECONDS MICROSECONDS CELLS\n", argv[0]);
    return 2;
  }
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 1;
  const pid_t child = fork();
  if (child < 0) return 1;
  rank_here = child == 0;
  const int code = bench_driver(argc - 1, argv + 1);
  if (child == 0) return code;
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return 1;
  return code;
}

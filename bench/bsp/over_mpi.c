/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Implements BSPlib over MPI. All data for one process are combined and sent by MPI_Alltoallv
 * after an MPI_Alltoall of the lengths; answers to gets follow in a second round. With
 * BENCH_BSP_WINDOWS, remote memory is instead written and read by MPI_Put and MPI_Get between
 * fences, with a copy for buffered puts and gets. The shared library also serves
 * TUTTI_BSP_BACKEND.
 */
#include "bsp.h"

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_slots = 64, kind_put = 1, kind_get = 2, kind_message = 3 };

typedef struct {
  char* data;
  int used, room;
} Buffer;
typedef struct {
  int kind, slot, offset, bytes; /* in a message, `slot` has the bytes of its tag */
} Record;
typedef struct {
  char* address;
  int bytes, pid, slot, offset, temporary; /* offset into `copies`, or -1 */
} Wanted;

static int p, s, slots, pushed, popped, wanted_count, wanted_room, received_messages,
    received_bytes;
static int tag_size, next_tag_size;
static char* registered[most_slots];
static int sizes[most_slots], numbers[most_slots];
static Buffer *out, answers, in;
#ifdef BENCH_BSP_WINDOWS
static Buffer copies;
#endif
static Wanted* wanted;
static char *next_message, *end_of_messages;
static double started;
#ifdef BENCH_BSP_WINDOWS
static MPI_Win windows[most_slots];
#endif

static char* extend(Buffer* buffer, int bytes) {
  if (buffer->used + bytes > buffer->room) {
    buffer->room = 2 * (buffer->used + bytes) + 4096;
    buffer->data = realloc(buffer->data, (size_t)buffer->room);
  }
  buffer->used += bytes;
  return buffer->data + buffer->used - bytes;
}

static int padded(int bytes) {
  return (bytes + 7) / 8 * 8;
}

static size_t length_of(Record record) {
  const int tag = record.kind == kind_message ? padded(record.slot) : 0;
  return sizeof record + (size_t)tag + (size_t)(record.kind == kind_get ? 0 : padded(record.bytes));
}

static int slot_of(const void* address) {
  for (int i = slots - 1; i >= 0; --i) {
    if (registered[i] == address) return i;
  }
  MPI_Abort(MPI_COMM_WORLD, 2);
  return -1;
}

#ifndef BENCH_BSP_WINDOWS
static void add(int pid, Record record, const void* data) {
  char* const at =
      extend(&out[pid], (int)sizeof record + (data != NULL ? padded(record.bytes) : 0));
  memcpy(at, &record, sizeof record);
  if (data != NULL) memcpy(at + sizeof record, data, (size_t)record.bytes);
}
#endif

static void want(Wanted one) {
  if (wanted_count == wanted_room) {
    wanted_room = 2 * wanted_room + 64;
    wanted = realloc(wanted, (size_t)wanted_room * sizeof *wanted);
  }
  wanted[wanted_count++] = one;
}

static void join(void) {
  int joined = 0;
  MPI_Initialized(&joined);
  if (joined) return;
  MPI_Init(NULL, NULL);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  MPI_Comm_rank(MPI_COMM_WORLD, &s);
}

/* All processes call this function. */
void bsp_begin(int processes) {
  (void)processes;
  join();
  out = calloc((size_t)p, sizeof *out);
  started = MPI_Wtime();
}
void bsp_end(void) {
#ifdef BENCH_BSP_WINDOWS
  /* MPICH does not end as long as there are windows. */
  for (int k = 0; k < slots; ++k)
    if (registered[k] != NULL) MPI_Win_free(&windows[k]);
#endif
  MPI_Finalize();
}
void bsp_abort(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  MPI_Abort(MPI_COMM_WORLD, 1);
}
int bsp_nprocs(void) {
  join();
  return p;
}
int bsp_pid(void) {
  return s;
}
double bsp_time(void) {
  return MPI_Wtime() - started;
}

void bsp_push_reg(const void* address, int size) {
  registered[slots + pushed] = (char*)(size_t)address;
  sizes[slots + pushed++] = size;
}
void bsp_pop_reg(const void* address) {
  numbers[popped++] = slot_of(address);
}

void* bsp_alloc(size_t size) {
  void* address = NULL;
  MPI_Alloc_mem((MPI_Aint)size, MPI_INFO_NULL, &address);
  return address;
}
void bsp_free(void* address) {
  MPI_Free_mem(address);
}

#ifdef BENCH_BSP_WINDOWS
void bsp_put(int pid, const void* source, void* destination, int offset, int size) {
  /* The copy must stay where it is until the fence, so it is put in bsp_sync. */
  const int at = copies.used;
  memcpy(extend(&copies, padded(size)), source, (size_t)size);
  want((Wanted){NULL, size, pid, slot_of(destination), offset, at});
}
void bsp_hpput(int pid, const void* source, void* destination, int offset, int size) {
  MPI_Put(source, size, MPI_BYTE, pid, offset, size, MPI_BYTE, windows[slot_of(destination)]);
}
void bsp_get(int pid, const void* source, int offset, void* destination, int size) {
  want((Wanted){destination, size, pid, slot_of(source), offset, -1});
}
void bsp_hpget(int pid, const void* source, int offset, void* destination, int size) {
  MPI_Get(destination, size, MPI_BYTE, pid, offset, size, MPI_BYTE, windows[slot_of(source)]);
}
#else
void bsp_put(int pid, const void* source, void* destination, int offset, int size) {
  add(pid, (Record){kind_put, slot_of(destination), offset, size}, source);
}
void bsp_hpput(int pid, const void* source, void* destination, int offset, int size) {
  bsp_put(pid, source, destination, offset, size);
}
void bsp_get(int pid, const void* source, int offset, void* destination, int size) {
  const int slot = slot_of(source);
  add(pid, (Record){kind_get, slot, offset, size}, NULL);
  want((Wanted){destination, size, pid, slot, offset, -1});
}
void bsp_hpget(int pid, const void* source, int offset, void* destination, int size) {
  bsp_get(pid, source, offset, destination, size);
}
#endif

void bsp_set_tagsize(int* size) {
  const int before = next_tag_size;
  next_tag_size = *size;
  *size = before;
}
void bsp_send(int pid, const void* tag, const void* payload, int size) {
  const Record record = {kind_message, tag_size, 0, size};
  char* at = extend(&out[pid], (int)length_of(record));
  memcpy(at, &record, sizeof record);
  at += sizeof record;
  if (tag_size > 0) memcpy(at, tag, (size_t)tag_size);
  if (size > 0) memcpy(at + padded(tag_size), payload, (size_t)size);
}
void bsp_qsize(int* messages, int* bytes) {
  *messages = received_messages;
  *bytes = received_bytes;
}

static Record first_message(void) {
  Record record = {0, 0, 0, -1};
  while (next_message < end_of_messages) {
    memcpy(&record, next_message, sizeof record);
    if (record.kind == kind_message) return record;
    next_message += length_of(record);
  }
  record.bytes = -1;
  return record;
}
void bsp_get_tag(int* status, void* tag) {
  const Record record = first_message();
  *status = record.bytes;
  if (record.bytes >= 0 && record.slot > 0)
    memcpy(tag, next_message + sizeof record, (size_t)record.slot);
}
int bsp_hpmove(void** tag, void** payload) {
  const Record record = first_message();
  if (record.bytes < 0) return -1;
  *tag = next_message + sizeof record;
  *payload = next_message + sizeof record + padded(record.slot);
  next_message += length_of(record);
  --received_messages;
  received_bytes -= record.bytes;
  return record.bytes;
}
void bsp_move(void* payload, int size) {
  void *tag = NULL, *place = NULL;
  const int bytes = bsp_hpmove(&tag, &place);
  if (bytes > 0 && size > 0) memcpy(payload, place, (size_t)(size < bytes ? size : bytes));
}

/* Sends all of `from`, divided by counts, to all processes. The data that they have for this
 * process are stored in `to`. */
static void exchange(const char* from, const int* from_counts, Buffer* to, int* to_counts) {
  int* const displacements = malloc(2 * (size_t)p * sizeof(int));
  MPI_Alltoall(from_counts, 1, MPI_INT, to_counts, 1, MPI_INT, MPI_COMM_WORLD);
  int sent = 0, received = 0;
  for (int i = 0; i < p; ++i) {
    displacements[i] = sent;
    displacements[p + i] = received;
    sent += from_counts[i];
    received += to_counts[i];
  }
  to->used = 0;
  extend(to, received);
  int any = sent > 0 || received > 0;
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (any) {
    MPI_Alltoallv(from, from_counts, displacements, MPI_BYTE, to->data, to_counts,
                  displacements + p, MPI_BYTE, MPI_COMM_WORLD);
  }
  free(displacements);
}

/* Fills `in`, with received[i] bytes from process i. */
static void send_records(int* received) {
  int* const lengths = calloc((size_t)p, sizeof(int));
  Buffer all = {0};
  for (int i = 0; i < p; ++i) {
    lengths[i] = out[i].used;
    if (out[i].used > 0) memcpy(extend(&all, out[i].used), out[i].data, (size_t)out[i].used);
    out[i].used = 0;
  }
  exchange(all.data, lengths, &in, received);
  free(all.data);
  free(lengths);
}

/* Fills `answers`, with sent[i] bytes for process i. */
static void read_for_others(const int* received, int* sent) {
  answers.used = 0;
  const char* at = in.data;
  for (int i = 0; i < p; ++i) {
    const int before = answers.used;
    for (const char* const end = at + received[i]; at < end;) {
      Record record;
      memcpy(&record, at, sizeof record);
      if (record.kind == kind_get) {
        const char* const from = registered[record.slot] + record.offset;
        memcpy(extend(&answers, padded(record.bytes)), from, (size_t)record.bytes);
      }
      at += length_of(record);
    }
    sent[i] = answers.used - before;
  }
}

static void take_answers(const int* sent) {
  int* const received = calloc((size_t)p, sizeof(int));
  Buffer found = {0};
  exchange(answers.data, sent, &found, received);
  int next = 0;
  for (int i = 0; i < p; ++i) {
    for (int k = 0; k < wanted_count; ++k) {
      if (wanted[k].pid != i) continue;
      memcpy(wanted[k].address, found.data + next, (size_t)wanted[k].bytes);
      next += padded(wanted[k].bytes);
    }
  }
  free(found.data);
  free(received);
  wanted_count = 0;
}

static void write_puts(void) {
  received_messages = received_bytes = 0;
  next_message = in.data;
  end_of_messages = in.data + in.used;
  for (const char* at = in.data; at < end_of_messages;) {
    Record record;
    memcpy(&record, at, sizeof record);
    if (record.kind == kind_put) {
      memcpy(registered[record.slot] + record.offset, at + sizeof record, (size_t)record.bytes);
    }
    received_messages += record.kind == kind_message;
    received_bytes += record.kind == kind_message ? record.bytes : 0;
    at += length_of(record);
  }
}

/* The order of BSPlib: gets read, gets write, puts write. */
static void move_records(void) {
  int* const counts = calloc(2 * (size_t)p, sizeof(int));
  int gets = wanted_count > 0;
  send_records(counts);
  read_for_others(counts, counts + p);
  MPI_Allreduce(MPI_IN_PLACE, &gets, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (gets) take_answers(counts + p);
  write_puts();
  free(counts);
}

#ifdef BENCH_BSP_WINDOWS
static void fence_all(void) {
  for (int i = 0; i < slots; ++i) {
    if (windows[i] != MPI_WIN_NULL) MPI_Win_fence(0, windows[i]);
  }
}

/* Gets read before puts write, as BSPlib requires. */
static void move_windows(void) {
  fence_all();
  for (int k = 0; k < wanted_count; ++k) {
    const Wanted one = wanted[k];
    if (one.temporary < 0) {
      MPI_Get(one.address, one.bytes, MPI_BYTE, one.pid, one.offset, one.bytes, MPI_BYTE,
              windows[one.slot]);
    }
  }
  fence_all();
  for (int k = 0; k < wanted_count; ++k) {
    const Wanted one = wanted[k];
    if (one.temporary >= 0) {
      MPI_Put(copies.data + one.temporary, one.bytes, MPI_BYTE, one.pid, one.offset, one.bytes,
              MPI_BYTE, windows[one.slot]);
    }
  }
  fence_all();
  wanted_count = copies.used = 0;
}
#endif

static void change_slots(void) {
  for (int k = 0; k < popped; ++k) {
#ifdef BENCH_BSP_WINDOWS
    MPI_Win_free(&windows[numbers[k]]);
#endif
    registered[numbers[k]] = NULL;
  }
  popped = 0;
  for (; pushed > 0; --pushed, ++slots) {
#ifdef BENCH_BSP_WINDOWS
    MPI_Win_create(registered[slots], sizes[slots], 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                   &windows[slots]);
    MPI_Win_fence(0, windows[slots]);
#endif
  }
  while (slots > 0 && registered[slots - 1] == NULL) --slots;
}

void bsp_sync(void) {
#ifdef BENCH_BSP_WINDOWS
  move_windows();
#endif
  move_records();
  change_slots();
  tag_size = next_tag_size;
}

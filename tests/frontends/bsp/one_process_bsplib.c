// SPDX-License-Identifier: BSD-3-Clause
// Stands for another BSPlib in tests, as small as possible, with one process. It has the names of
// 1998 and total exchanges, only the two collectives of the wrapper, and no groups. It calls its
// own bsp_get_tag, and not that of libtutti-bsp.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most = 4096 };

typedef struct {
  char *to, *data;
  int size;
} Copy;

static Copy puts_[most], gets_[most], sent[most], queue[most];
static int put_count, get_count, sent_count, first, queue_count, tag_size, next_tag_size;

static char* copy_of(const void* data, int size) {
  char* const kept = malloc((size_t)size + 1);
  if (size > 0) memcpy(kept, data, (size_t)size);
  return kept;
}

void bsp_begin(int processes) {
  (void)processes;
}
void bsp_end(void) {}
void bsp_abort(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  exit(1);
}
int bsp_nprocs(void) {
  return 1;
}
int bsp_pid(void) {
  return 0;
}
double bsp_time(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

void bsp_push_reg(const void* address, int size) {
  (void)address;
  (void)size;
}
void bsp_pop_reg(const void* address) {
  (void)address;
}
void bsp_put(int pid, const void* source, void* destination, int offset, int size) {
  (void)pid;
  puts_[put_count++] = (Copy){(char*)destination + offset, copy_of(source, size), size};
}
void bsp_hpput(int pid, const void* source, void* destination, int offset, int size) {
  bsp_put(pid, source, destination, offset, size);
}
void bsp_get(int pid, const void* source, int offset, void* destination, int size) {
  (void)pid;
  gets_[get_count++] = (Copy){destination, (char*)(size_t)source + offset, size};
}
void bsp_hpget(int pid, const void* source, int offset, void* destination, int size) {
  bsp_get(pid, source, offset, destination, size);
}

void bsp_set_tagsize(int* size) {
  const int before = next_tag_size;
  next_tag_size = *size;
  *size = before;
}
void bsp_send(int pid, const void* tag, const void* payload, int size) {
  (void)pid;
  sent[sent_count++] = (Copy){copy_of(tag, tag_size), copy_of(payload, size), size};
}
void bsp_qsize(int* messages, int* bytes) {
  *messages = queue_count - first;
  *bytes = 0;
  for (int i = first; i < queue_count; ++i) *bytes += queue[i].size;
}
void bsp_get_tag(int* status, void* tag) {
  *status = first < queue_count ? queue[first].size : -1;
  if (*status >= 0 && tag_size > 0) memcpy(tag, queue[first].to, (size_t)tag_size);
}
int bsp_hpmove(void** tag, void** payload) {
  int status = 0;
  char unused[64];
  bsp_get_tag(&status, unused);
  if (status < 0) return -1;
  *tag = queue[first].to;
  *payload = queue[first++].data;
  return status;
}
void bsp_move(void* payload, int size) {
  void *tag = NULL, *place = NULL;
  const int bytes = bsp_hpmove(&tag, &place);
  if (bytes > 0) memcpy(payload, place, (size_t)(bytes < size ? bytes : size));
}

void bsp_sync(void) {
  for (int i = 0; i < get_count; ++i) gets_[i].data = copy_of(gets_[i].data, gets_[i].size);
  for (int i = 0; i < get_count; ++i) memcpy(gets_[i].to, gets_[i].data, (size_t)gets_[i].size);
  for (int i = 0; i < put_count; ++i) memcpy(puts_[i].to, puts_[i].data, (size_t)puts_[i].size);
  for (int i = 0; i < get_count; ++i) free(gets_[i].data);
  for (int i = 0; i < put_count; ++i) free(puts_[i].data);
  for (int i = 0; i < queue_count; ++i) free(queue[i].to);
  for (int i = 0; i < queue_count; ++i) free(queue[i].data);
  memcpy(queue, sent, sizeof queue);
  queue_count = sent_count;
  put_count = get_count = sent_count = first = 0;
  tag_size = next_tag_size;
}

void bsp_total_exchange(const void* source, void* destination, int size) {
  memcpy(destination, source, (size_t)size);
}
void bsp_total_exchangev(const void* source, const int* source_sizes, void* destination,
                         const int* destination_sizes) {
  (void)destination_sizes;
  if (source_sizes[0] > 0) memcpy(destination, source, (size_t)source_sizes[0]);
}

void bsp_broadcast(int root, void* data, int size) {
  (void)root;
  (void)data;
  (void)size;
}
#ifndef WITHOUT_FOLD
void bsp_fold(void (*op)(void*, void*, void*, int*), const void* source, void* destination,
              int size) {
  (void)op;
  memmove(destination, source, (size_t)size);
}
#endif

// SPDX-License-Identifier: BSD-3-Clause
// BSPlib's functions with int sizes, as in 1998, and those that have no sizes.
#include <tutti-bsp/bsp.h>
#include <tutti-bsp/bsp_broadcast.h>
#include <tutti-bsp/bsp_level1.h>
#include <tutti-bsp/bsp_tutti.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <limits>

#include "collectives.hpp"
#include "errors.hpp"
#include "groups.hpp"
#include "life.hpp"
#include "memory.hpp"
#include "messages.hpp"
#include "remote.hpp"
#include "superstep.hpp"

namespace bsp = tutti::bsp;

namespace {

std::size_t size_of(const char* routine, const char* argument, int value) {
  if (value < 0) [[unlikely]]
    bsp::fail(routine, "argument '{}' is {}, which is negative", argument, value);
  return static_cast<std::size_t>(value);
}

std::vector<std::int64_t> sizes_of(const int* sizes) {
  if (sizes == nullptr) bsp::fail("bsp_total_exchangev", "an argument 'sizes' is NULL");
  std::vector<std::int64_t> result(
      static_cast<std::size_t>(bsp::machine("bsp_total_exchangev").count));
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = static_cast<std::int64_t>(size_of("bsp_total_exchangev", "sizes", sizes[i]));
  }
  return result;
}

std::vector<std::uint64_t> counts_of(const int* counts) {
  if (counts == nullptr) bsp::fail("bsp_sync_counts", "argument 'counts' is NULL");
  std::vector<std::uint64_t> result(
      static_cast<std::size_t>(bsp::machine("bsp_sync_counts").count));
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = size_of("bsp_sync_counts", "counts", counts[i]);
  return result;
}

int as_int(const char* routine, std::uint64_t value) {
  if (value > static_cast<std::uint64_t>(std::numeric_limits<int>::max())) {
    bsp::fail(routine, "the result {} is too large for an int", value);
  }
  return static_cast<int>(value);
}

}  // namespace

extern "C" {

void bsp_init(void (*spmd)(void), int, char**) {
  bsp::init(spmd);
}
// A system may have changed the arguments of processes other than 0; here all have the same.
void bsp_fix_argv(int*, char***) {}
void bsp_begin(int processes) {
  bsp::begin(processes);
}
void bsp_end(void) {
  bsp::end();
}
void bsp_vabort(const char* format, va_list arguments) {
  std::array<char, 400> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  bsp::abort_all(text.data());
}
void bsp_abort(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  bsp_vabort(format, arguments);
}
int bsp_nprocs(void) {
  return bsp::count_of_processes();
}
int bsp_pid(void) {
  return bsp::own_number();
}
double bsp_time(void) {
  return bsp::seconds_since_begin();
}
double bsp_dtime(void) {
  return bsp::seconds_since_last_call();
}
double bsp_cputime(void) {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}
void bsp_sync(void) {
  bsp::end_superstep("bsp_sync", bsp::SuperstepEnd::sync);
}
void bsp_sync_counts(const int* counts) {
  bsp::end_superstep_by_counts(counts_of(counts));
}
void bsp_sync_neighbours(int count, const int* pids) {
  const std::size_t all = size_of("bsp_sync_neighbours", "count", count);
  if (pids == nullptr && all > 0) bsp::fail("bsp_sync_neighbours", "argument 'pids' is NULL");
  bsp::end_superstep_among({pids, pids + all});
}

int bsp_group_split(int color, int key) {
  return bsp::split(color, key);
}
void bsp_group_enter(int group) {
  bsp::enter_group(group);
}
void bsp_group_leave(void) {
  bsp::leave_group();
}
void bsp_group_free(int group) {
  bsp::free_group(group);
}

void bsp_push_reg(const void* address, int size) {
  bsp::push(address, size_of("bsp_push_reg", "size", size));
}
void bsp_pop_reg(const void* address) {
  bsp::pop(address);
}
void bsp_popregister(const void* address) {
  bsp::pop(address);
}
void bsp_put(int pid, const void* source, void* destination, int offset, int size) {
  bsp::put(pid, source, destination, size_of("bsp_put", "offset", offset),
           size_of("bsp_put", "size", size));
}
void bsp_get(int pid, const void* source, int offset, void* destination, int size) {
  bsp::get(pid, source, size_of("bsp_get", "offset", offset), destination,
           size_of("bsp_get", "size", size));
}
void bsp_hpput(int pid, const void* source, void* destination, int offset, int size) {
  bsp::put_directly(pid, source, destination, size_of("bsp_hpput", "offset", offset),
                    size_of("bsp_hpput", "size", size));
}
void bsp_hpget(int pid, const void* source, int offset, void* destination, int size) {
  bsp::get_directly(pid, source, size_of("bsp_hpget", "offset", offset), destination,
                    size_of("bsp_hpget", "size", size));
}
void bsp_direct_get(int pid, const void* source, int offset, void* destination, int size) {
  bsp::get_now(pid, source, size_of("bsp_direct_get", "offset", offset), destination,
               size_of("bsp_direct_get", "size", size));
}
void* bsp_alloc(size_t size) {
  return bsp::allocate(size);
}
void bsp_free(void* address) {
  bsp::deallocate(address);
}

void bsp_set_tagsize(int* size) {
  if (size == nullptr) bsp::fail("bsp_set_tagsize", "argument 'size' is NULL");
  *size = as_int("bsp_set_tagsize", bsp::set_tag_size(size_of("bsp_set_tagsize", "size", *size)));
}
void bsp_send(int pid, const void* tag, const void* payload, int size) {
  bsp::send("bsp_send", pid, tag, payload, size_of("bsp_send", "size", size));
}
void bsp_hpsend(int pid, const void* tag, const void* payload, int size) {
  bsp::send("bsp_hpsend", pid, tag, payload, size_of("bsp_hpsend", "size", size));
}
void bsp_qsize(int* messages, int* bytes) {
  const bsp::QueueSize size = bsp::queue_size();
  if (messages != nullptr) *messages = as_int("bsp_qsize", size.messages);
  if (bytes != nullptr) *bytes = as_int("bsp_qsize", size.bytes);
}
void bsp_get_tag(int* status, void* tag) {
  if (status == nullptr) bsp::fail("bsp_get_tag", "argument 'status' is NULL");
  *status = static_cast<int>(bsp::get_tag(tag));
}
void bsp_move(void* payload, int size) {
  bsp::move(payload, size_of("bsp_move", "size", size));
}
int bsp_hpmove(void** tag, void** payload) {
  return static_cast<int>(bsp::move_in_place(tag, payload));
}

void bsp_bcast(int root, const void* source, void* destination, int size) {
  bsp::broadcast("bsp_bcast", root, source, destination, size_of("bsp_bcast", "size", size));
}
void bsp_broadcast(int root, void* data, int size) {
  bsp::broadcast("bsp_broadcast", root, data, data, size_of("bsp_broadcast", "size", size));
}
void bsp_fold(bsp_operator op, const void* source, void* destination, int size) {
  bsp::fold(op, source, destination, size_of("bsp_fold", "size", size));
}
void bsp_scan(bsp_operator op, const void* source, void* destination, int size) {
  bsp::scan(op, source, destination, size_of("bsp_scan", "size", size));
}
void bsp_gather(int root, const void* source, void* destination, int size) {
  bsp::gather(root, source, destination, size_of("bsp_gather", "size", size));
}
void bsp_scatter(int root, const void* source, void* destination, int size) {
  bsp::scatter(root, source, destination, size_of("bsp_scatter", "size", size));
}
void bsp_sort(bsp_comparison compare, const void* source, void* destination, int size) {
  bsp::sort(compare, source, destination, size_of("bsp_sort", "size", size));
}
void bsp_total_exchange(const void* source, void* destination, int size) {
  bsp::total_exchange(source, destination, size_of("bsp_total_exchange", "size", size));
}

void bsp_total_exchangev(const void* source, const int* source_sizes, void* destination,
                         const int* destination_sizes) {
  bsp::total_exchange(source, sizes_of(source_sizes), destination, sizes_of(destination_sizes));
}

// Oxford's other names. With size_t sizes, bsp.h calls the functions that they stand for.
void bsp_pushregister(const void* address, int size) {
  bsp_push_reg(address, size);
}
void bsp_set_tag_size(int* size) {
  bsp_set_tagsize(size);
}
void bsp_bsmp_info(int* messages, int* bytes) {
  bsp_qsize(messages, bytes);
}

}  // extern "C"

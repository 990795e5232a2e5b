// SPDX-License-Identifier: BSD-3-Clause
// BSPlib's functions with unsigned process numbers and size_t sizes. bsp.h gives them BSPlib's
// names if TUTTI_BSP_SIZE_T is defined.
#define TUTTI_BSP_SIZE_T 1
#include <tutti-bsp/bsp.h>
#include <tutti-bsp/bsp_broadcast.h>
#include <tutti-bsp/bsp_level1.h>
#include <tutti-bsp/bsp_tutti.h>

#include <algorithm>
#include <climits>

#include "collectives.hpp"
#include "errors.hpp"
#include "life.hpp"
#include "messages.hpp"
#include "remote.hpp"
#include "superstep.hpp"

namespace bsp = tutti::bsp;

namespace {

// Returns the number as an int; one that is too large stays larger than any process number.
int number(unsigned int pid) {
  return static_cast<int>(std::min<unsigned int>(pid, INT_MAX));
}

std::vector<std::int64_t> sizes_of(const size_t* sizes) {
  if (sizes == nullptr) bsp::fail("bsp_total_exchangev", "an argument 'sizes' is NULL");
  return {sizes, sizes + bsp::machine("bsp_total_exchangev").count};
}

std::vector<int> numbers(unsigned int count, const unsigned int* pids) {
  if (pids == nullptr && count > 0) bsp::fail("bsp_sync_neighbours", "argument 'pids' is NULL");
  std::vector<int> result;
  for (unsigned int i = 0; i < count; ++i) result.push_back(number(pids[i]));
  return result;
}

}  // namespace

extern "C" {

void bsp_begin(unsigned int processes) {
  bsp::begin(number(processes));
}
void bsp_sync_counts(const unsigned int* counts) {
  if (counts == nullptr) bsp::fail("bsp_sync_counts", "argument 'counts' is NULL");
  bsp::end_superstep_by_counts({counts, counts + bsp::machine("bsp_sync_counts").count});
}
void bsp_sync_neighbours(unsigned int count, const unsigned int* pids) {
  bsp::end_superstep_among(numbers(count, pids));
}
void bsp_push_reg(const void* address, size_t size) {
  bsp::push(address, size);
}
void bsp_put(unsigned int pid, const void* source, void* destination, size_t offset, size_t size) {
  bsp::put(number(pid), source, destination, offset, size);
}
void bsp_get(unsigned int pid, const void* source, size_t offset, void* destination, size_t size) {
  bsp::get(number(pid), source, offset, destination, size);
}
void bsp_hpput(unsigned int pid, const void* source, void* destination, size_t offset,
               size_t size) {
  bsp::put_directly(number(pid), source, destination, offset, size);
}
void bsp_hpget(unsigned int pid, const void* source, size_t offset, void* destination,
               size_t size) {
  bsp::get_directly(number(pid), source, offset, destination, size);
}
void bsp_direct_get(unsigned int pid, const void* source, size_t offset, void* destination,
                    size_t size) {
  bsp::get_now(number(pid), source, offset, destination, size);
}

void bsp_set_tagsize(size_t* size) {
  if (size == nullptr) bsp::fail("bsp_set_tagsize", "argument 'size' is NULL");
  *size = bsp::set_tag_size(*size);
}
void bsp_send(unsigned int pid, const void* tag, const void* payload, size_t size) {
  bsp::send("bsp_send", number(pid), tag, payload, size);
}
void bsp_hpsend(unsigned int pid, const void* tag, const void* payload, size_t size) {
  bsp::send("bsp_hpsend", number(pid), tag, payload, size);
}
void bsp_qsize(unsigned int* messages, size_t* bytes) {
  const bsp::QueueSize size = bsp::queue_size();
  if (messages != nullptr) *messages = static_cast<unsigned int>(size.messages);
  if (bytes != nullptr) *bytes = size.bytes;
}
void bsp_get_tag(size_t* status, void* tag) {
  if (status == nullptr) bsp::fail("bsp_get_tag", "argument 'status' is NULL");
  *status = static_cast<size_t>(bsp::get_tag(tag));
}
void bsp_move(void* payload, size_t size) {
  bsp::move(payload, size);
}
size_t bsp_hpmove(void** tag, void** payload) {
  return static_cast<size_t>(bsp::move_in_place(tag, payload));
}

void bsp_bcast(unsigned int root, const void* source, void* destination, size_t size) {
  bsp::broadcast("bsp_bcast", number(root), source, destination, size);
}
void bsp_broadcast(unsigned int root, void* data, size_t size) {
  bsp::broadcast("bsp_broadcast", number(root), data, data, size);
}
void bsp_fold(bsp_operator op, const void* source, void* destination, size_t size) {
  bsp::fold(op, source, destination, size);
}
void bsp_scan(bsp_operator op, const void* source, void* destination, size_t size) {
  bsp::scan(op, source, destination, size);
}
void bsp_gather(unsigned int root, const void* source, void* destination, size_t size) {
  bsp::gather(number(root), source, destination, size);
}
void bsp_scatter(unsigned int root, const void* source, void* destination, size_t size) {
  bsp::scatter(number(root), source, destination, size);
}
void bsp_sort(bsp_comparison compare, const void* source, void* destination, size_t size) {
  bsp::sort(compare, source, destination, size);
}
void bsp_total_exchange(const void* source, void* destination, size_t size) {
  bsp::total_exchange(source, destination, size);
}

void bsp_total_exchangev(const void* source, const size_t* source_sizes, void* destination,
                         const size_t* destination_sizes) {
  bsp::total_exchange(source, sizes_of(source_sizes), destination, sizes_of(destination_sizes));
}

}  // extern "C"

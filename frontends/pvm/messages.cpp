// SPDX-License-Identifier: BSD-3-Clause
// The calls of PVM that send and receive messages.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core.hpp"
#include "state.hpp"

using namespace tutti::pvm;

namespace {

bool is_source(int tid) {
  return tid == any || is_task_tid(tid);
}

MessagePattern wanted_of(int tid, int tag) {
  return {tid, tag, state().context};
}

// A message to a task that has ended is lost without an error.
int forgiving(tutti_status status) {
  return status == TUTTI_PEER_LEFT ? PvmOk : code_of(status);
}

int send_bytes(int tid, int tag, const void* data, std::size_t bytes) {
  return forgiving(tutti_mail_send(tutti_pvm_endpoint(tid), key_of(state().context, tag), data,
                                   static_cast<std::int64_t>(bytes)));
}

// Finds the active send buffer and makes its data contiguous. Returns PvmOk or an error.
int ready_to_send(MessageBuffer*& buffer, int tag) {
  buffer = state().buffers.sending();
  if (tag < 0) return PvmBadParam;
  if (buffer == nullptr) return PvmNoBuf;
  return buffer->flatten() ? PvmOk : PvmNoMem;
}

int become_active(int number) {
  if (number <= 0) return number;
  MessageBuffers& buffers = state().buffers;
  buffers.free(buffers.receiving_number());
  buffers.set_receiving(number);
  return number;
}

// The program looks for messages now, so the descriptor of pvm_getfds need not call it any more.
void quieten_ticker() {
  std::uint64_t ticks = 0;
  const int ticker = state().ticker;
  if (ticker >= 0 && ::read(ticker, &ticks, sizeof ticks) < 0) return;  // it has not called
}

int receive(const char* name, int tid, int tag, double seconds) {
  return call(name, [&] {
    if (!is_source(tid) || tag < any) return PvmBadParam;
    quieten_ticker();
    return become_active(state().inbox.receive(wanted_of(tid, tag), seconds));
  });
}

// Text is sent with its final 0, whatever count the caller gives.
std::size_t bytes_to_send(const void* data, int count, int type) {
  if (type != PVM_STR)
    return static_cast<std::size_t>(count) * static_cast<std::size_t>(bytes_of(type));
  return std::char_traits<char>::length(static_cast<const char*>(data)) + 1;
}

}  // namespace

extern "C" {

int tutti_pvm_multicast(const int* tids, int count, int tag) {
  PvmState& mine = state();
  MessageBuffer* buffer = nullptr;
  if (const int status = ready_to_send(buffer, tag); status != PvmOk) return status;
  std::vector<int> endpoints;
  for (int i = 0; i < count; ++i) {
    const int endpoint = mine.machine->endpoint(tids[i]);
    if (endpoint < 0) return PvmBadParam;
    const bool again = std::find(endpoints.begin(), endpoints.end(), endpoint) != endpoints.end();
    if (endpoint != mine.endpoint && !again && tutti_present(endpoint) != 0)
      endpoints.push_back(endpoint);
  }
  const std::uint64_t key = key_of(mine.context, tag);
  const auto bytes = static_cast<std::int64_t>(buffer->size());
  const tutti_status status = tutti_mail_multicast(static_cast<int>(endpoints.size()),
                                                   endpoints.data(), key, buffer->data(), bytes);
  if (status != TUTTI_PEER_LEFT) return code_of(status);
  // A task has ended since the check above, and nothing was sent: send to each task alone.
  for (const int endpoint : endpoints) {
    const int code = forgiving(tutti_mail_send(endpoint, key, buffer->data(), bytes));
    if (code != PvmOk) return code;
  }
  return PvmOk;
}

int pvm_send(int tid, int tag) {
  return call("pvm_send", [&] {
    if (!is_task_tid(tid)) return PvmBadParam;
    MessageBuffer* buffer = nullptr;
    const int status = ready_to_send(buffer, tag);
    return status != PvmOk ? status : send_bytes(tid, tag, buffer->data(), buffer->size());
  });
}

int pvm_mcast(int* tids, int count, int tag) {
  return call("pvm_mcast", [&] {
    if (count < 0 || (tids == nullptr && count > 0)) return PvmBadParam;
    return tutti_pvm_multicast(tids, count, tag);
  });
}

int pvm_psend(int tid, int tag, void* data, int count, int type) {
  return call("pvm_psend", [&] {
    const bool sound = is_task_tid(tid) && tag >= 0 && bytes_of(type) != 0 && count >= 0;
    if (!sound || (data == nullptr && (count > 0 || type == PVM_STR))) return PvmBadParam;
    return send_bytes(tid, tag, data, bytes_to_send(data, count, type));
  });
}

int pvm_recv(int tid, int tag) {
  return receive("pvm_recv", tid, tag, Inbox::for_ever);
}

int pvm_nrecv(int tid, int tag) {
  return receive("pvm_nrecv", tid, tag, 0);
}

int pvm_trecv(int tid, int tag, struct timeval* limit) {
  if (limit == nullptr) return receive("pvm_trecv", tid, tag, Inbox::for_ever);
  if (limit->tv_sec < 0 || limit->tv_usec < 0)
    return call("pvm_trecv", [] { return int{PvmBadParam}; });
  return receive("pvm_trecv", tid, tag,
                 static_cast<double>(limit->tv_sec) + 1e-6 * static_cast<double>(limit->tv_usec));
}

int pvm_probe(int tid, int tag) {
  return call("pvm_probe", [&] {
    if (!is_source(tid) || tag < any) return PvmBadParam;
    quieten_ticker();
    return state().inbox.probe(wanted_of(tid, tag));
  });
}

int pvm_precv(int tid, int tag, void* data, int count, int type, int* from, int* with,
              int* received) {
  return call("pvm_precv", [&] {
    const int element = bytes_of(type);
    if (!is_source(tid) || tag < any || element == 0 || count < 0 || (data == nullptr && count > 0))
      return PvmBadParam;
    Origin origin;
    std::size_t bytes = 0;
    const auto space = static_cast<std::size_t>(count) * static_cast<std::size_t>(element);
    const int status = state().inbox.receive_into(wanted_of(tid, tag), data, space, origin, bytes);
    if (status != PvmOk) return status;
    if (from != nullptr) *from = origin.tid;
    if (with != nullptr) *with = origin.tag;
    if (received != nullptr) *received = static_cast<int>(bytes);
    return PvmOk;
  });
}

tutti_pvm_match pvm_recvf(tutti_pvm_match match) {
  const PvmCall current("pvm_recvf");
  const bool joined = current.is_inside() && tutti_pvm_join() == PvmOk;
  return joined ? state().inbox.set_match(match) : nullptr;
}

int pvm_addmhf(int tid, int tag, int context, int (*handler)(int)) {
  return call("pvm_addmhf", [&] {
    const bool sound = is_source(tid) && tag >= any && context >= any && handler != nullptr;
    return sound ? state().inbox.handlers().add(tid, tag, context, handler) : PvmBadParam;
  });
}

int pvm_delmhf(int handler) {
  return call("pvm_delmhf",
              [&] { return handler < 0 ? PvmBadParam : state().inbox.handlers().remove(handler); });
}

}  // extern "C"

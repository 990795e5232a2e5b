// SPDX-License-Identifier: BSD-3-Clause
// The calls of PVM that make, choose and free message buffers.
#include "errors.hpp"
#include "state.hpp"

using namespace tutti::pvm;

namespace {

bool known(int encoding) {
  return encoding >= PvmDataDefault && encoding <= PvmDataInPlace;
}

// Makes a buffer active and returns the previous one; 0 stands for no buffer.
int choose(int number, int (MessageBuffers::*set)(int)) {
  PvmState& mine = state();
  if (number < 0) return PvmBadParam;
  if (number != 0 && mine.buffers.find(number) == nullptr) return PvmNoSuchBuf;
  return (mine.buffers.*set)(number);
}

}  // namespace

extern "C" {

int pvm_mkbuf(int encoding) {
  return call("pvm_mkbuf", [&] {
    return known(encoding) ? state().buffers.make(encoding)->number() : PvmBadParam;
  });
}

int pvm_initsend(int encoding) {
  return call("pvm_initsend", [&] {
    if (!known(encoding)) return PvmBadParam;
    MessageBuffers& buffers = state().buffers;
    buffers.free(buffers.sending_number());
    const int number = buffers.make(encoding)->number();
    buffers.set_sending(number);
    return number;
  });
}

int pvm_freebuf(int buffer) {
  return call("pvm_freebuf", [&] {
    MessageBuffers& buffers = state().buffers;
    if (buffer < 0) return PvmBadParam;
    if (buffers.find(buffer) == nullptr) return buffer == 0 ? PvmOk : PvmNoSuchBuf;
    buffers.free(buffer);
    return PvmOk;
  });
}

int pvm_getsbuf(void) {
  return call("pvm_getsbuf", [] { return state().buffers.sending_number(); });
}

int pvm_getrbuf(void) {
  return call("pvm_getrbuf", [] { return state().buffers.receiving_number(); });
}

int pvm_setsbuf(int buffer) {
  return call("pvm_setsbuf", [&] { return choose(buffer, &MessageBuffers::set_sending); });
}

int pvm_setrbuf(int buffer) {
  return call("pvm_setrbuf", [&] { return choose(buffer, &MessageBuffers::set_receiving); });
}

int pvm_bufinfo(int buffer, int* bytes, int* tag, int* tid) {
  return call("pvm_bufinfo", [&] {
    const MessageBuffer* found = state().buffers.find(buffer);
    if (found == nullptr) return buffer < 1 ? PvmBadParam : PvmNoSuchBuf;
    if (bytes != nullptr) *bytes = static_cast<int>(found->size());
    if (tag != nullptr) *tag = found->origin.tag;
    if (tid != nullptr) *tid = found->origin.tid;
    return PvmOk;
  });
}

int pvm_getminfo(int buffer, struct pvmminfo* info) {
  return call("pvm_getminfo", [&] {
    const MessageBuffer* found = state().buffers.find(buffer);
    if (found == nullptr || info == nullptr)
      return buffer < 1 || info == nullptr ? PvmBadParam : PvmNoSuchBuf;
    *info = {static_cast<int>(found->size()),
             found->origin.context,
             found->origin.tag,
             found->wait_number,
             found->encoding(),
             0,
             found->origin.tid,
             state().tid};
    return PvmOk;
  });
}

int pvm_setminfo(int buffer, struct pvmminfo* info) {
  return call("pvm_setminfo", [&] {
    MessageBuffer* found = state().buffers.find(buffer);
    if (found == nullptr || info == nullptr)
      return buffer < 1 || info == nullptr ? PvmBadParam : PvmNoSuchBuf;
    found->origin = {info->src, info->tag, info->ctx};
    found->wait_number = info->wid;
    return PvmOk;
  });
}

int pvm_getmwid(int buffer) {
  return call("pvm_getmwid", [&] {
    const MessageBuffer* found = state().buffers.find(buffer);
    if (found == nullptr) return buffer < 1 ? PvmBadParam : PvmNoSuchBuf;
    return found->wait_number;
  });
}

int pvm_setmwid(int buffer, int number) {
  return call("pvm_setmwid", [&] {
    MessageBuffer* found = state().buffers.find(buffer);
    if (found == nullptr) return buffer < 1 ? PvmBadParam : PvmNoSuchBuf;
    found->wait_number = number;
    return PvmOk;
  });
}

}  // extern "C"

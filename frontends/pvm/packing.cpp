// SPDX-License-Identifier: BSD-3-Clause
// The calls of PVM that make, choose and free message buffers, and that pack and unpack: one of
// each per data type.
#include "core.hpp"
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

int pack(const char* name, const void* data, std::size_t element, int count, int stride) {
  return call(name, [&] {
    MessageBuffer* buffer = state().buffers.sending();
    return buffer == nullptr ? PvmNoBuf : buffer->pack(data, element, count, stride);
  });
}

int unpack(const char* name, void* data, std::size_t element, int count, int stride) {
  return call(name, [&] {
    MessageBuffer* buffer = state().buffers.receiving();
    return buffer == nullptr ? PvmNoBuf : buffer->unpack(data, element, count, stride);
  });
}

// A message packed into another one starts with this heading, unless only its body is packed. The
// bytes of the message follow.
struct Heading {
  int bytes, tag, tid, context, encoding;
};

enum class Packed { heading_and_body, body };

int pack_message(const char* name, int number, Packed packed) {
  return call(name, [&] {
    MessageBuffers& buffers = state().buffers;
    MessageBuffer* to = buffers.sending();
    MessageBuffer* from = buffers.find(number);
    if (to == nullptr) return PvmNoBuf;
    if (from == nullptr || from == to) return number < 1 ? PvmBadParam : PvmNoSuchBuf;
    if (!from->flatten()) return PvmNoMem;
    const Heading heading{static_cast<int>(from->size()), from->origin.tag, from->origin.tid,
                          from->origin.context, from->encoding()};
    const int status =
        packed == Packed::heading_and_body ? to->pack(&heading, sizeof heading, 1, 1) : PvmOk;
    return status != PvmOk ? status : to->pack(from->data(), 1, heading.bytes, 1);
  });
}

}  // namespace

#define TUTTI_PVM_TYPE(name, type, values)                                        \
  int pvm_pk##name(type* data, int count, int stride) {                           \
    return pack("pvm_pk" #name, data, sizeof(type) * (values), count, stride);    \
  }                                                                               \
  int pvm_upk##name(type* data, int count, int stride) {                          \
    return unpack("pvm_upk" #name, data, sizeof(type) * (values), count, stride); \
  }

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

TUTTI_PVM_TYPE(byte, char, 1)
TUTTI_PVM_TYPE(short, short, 1)
TUTTI_PVM_TYPE(int, int, 1)
TUTTI_PVM_TYPE(long, long, 1)
TUTTI_PVM_TYPE(ushort, unsigned short, 1)
TUTTI_PVM_TYPE(uint, unsigned int, 1)
TUTTI_PVM_TYPE(ulong, unsigned long, 1)
TUTTI_PVM_TYPE(float, float, 1)
TUTTI_PVM_TYPE(double, double, 1)
TUTTI_PVM_TYPE(cplx, float, 2)
TUTTI_PVM_TYPE(dcplx, double, 2)

int pvm_pkstr(char* text) {
  return call("pvm_pkstr", [&] {
    MessageBuffer* buffer = state().buffers.sending();
    return buffer == nullptr ? PvmNoBuf : buffer->pack_text(text);
  });
}

int pvm_upkstr(char* text) {
  return call("pvm_upkstr", [&] {
    MessageBuffer* buffer = state().buffers.receiving();
    return buffer == nullptr ? PvmNoBuf : buffer->unpack_text(text);
  });
}

int pvm_pkmesg(int buffer) {
  return pack_message("pvm_pkmesg", buffer, Packed::heading_and_body);
}

int pvm_pkmesgbody(int buffer) {
  return pack_message("pvm_pkmesgbody", buffer, Packed::body);
}

int pvm_upkmesg(void) {
  return call("pvm_upkmesg", [] {
    MessageBuffers& buffers = state().buffers;
    MessageBuffer* from = buffers.receiving();
    if (from == nullptr) return PvmNoBuf;
    Heading heading{};
    if (const int status = from->unpack(&heading, sizeof heading, 1, 1); status != PvmOk)
      return status;
    if (heading.bytes < 0 || static_cast<std::size_t>(heading.bytes) > from->left())
      return PvmBadMsg;
    MessageBuffer& made = *buffers.make(heading.encoding);
    std::byte* to = made.receive(static_cast<std::size_t>(heading.bytes));
    if (to == nullptr) return PvmNoMem;
    made.origin = {heading.tid, heading.tag, heading.context};
    const int status = from->unpack(to, 1, heading.bytes, 1);
    return status == PvmOk ? made.number() : status;
  });
}

}  // extern "C"

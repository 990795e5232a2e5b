// SPDX-License-Identifier: BSD-3-Clause
// The calls of PVM that pack and unpack: one of each per data type.
#include "errors.hpp"
#include "state.hpp"

using namespace tutti::pvm;

namespace {

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

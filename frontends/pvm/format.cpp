// SPDX-License-Identifier: BSD-3-Clause
// pvm_packf and pvm_unpackf. A format has fields %[count][.stride][hlu]type, where * takes count or
// stride from the arguments and type is c, d, f, x or s. %+ starts a new message with the encoding
// that is the next argument. Data are passed by address, but a single value to be packed is passed
// by value.
#include <cctype>
#include <cstdarg>

#include "core.hpp"
#include "state.hpp"

using namespace tutti::pvm;

namespace {

struct Field {
  int count = 1, stride = 1;
  bool counted = false;  // count or stride was given, so the argument is an address
  bool is_short = false, is_long = false;
  char type = 0;
};

// va_list cannot be passed by reference portably, but a struct that holds it can.
struct Arguments {
  va_list list;
};

int number(const char*& at, Arguments& arguments) {
  if (*at == '*') {
    ++at;
    return va_arg(arguments.list, int);
  }
  int value = 0;
  for (; std::isdigit(static_cast<unsigned char>(*at)) != 0; ++at) value = value * 10 + (*at - '0');
  return value;
}

bool starts_number(char c) {
  return c == '*' || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

Field read_field(const char*& at, Arguments& arguments) {
  Field field;
  if (starts_number(*at)) {
    field.counted = true;
    field.count = number(at, arguments);
  }
  if (*at == '.') {
    field.counted = true;
    field.stride = number(++at, arguments);
  }
  for (; *at == 'h' || *at == 'l' || *at == 'u'; ++at) {
    field.is_short = field.is_short || *at == 'h';
    field.is_long = field.is_long || *at == 'l';
  }
  field.type = *at;
  if (*at != '\0') ++at;
  return field;
}

// Returns 0 for an unknown type.
std::size_t element_bytes(const Field& field) {
  switch (field.type) {
    case 'c':
      return 1;
    case 'd':
      return field.is_long ? sizeof(long) : field.is_short ? sizeof(short) : sizeof(int);
    case 'f':
      return field.is_long ? sizeof(double) : sizeof(float);
    case 'x':
      return 2 * (field.is_long ? sizeof(double) : sizeof(float));
    default:
      return 0;
  }
}

template <class Kept, class Passed>
int pack_value(MessageBuffer& buffer, Passed passed) {
  const Kept value = static_cast<Kept>(passed);
  return buffer.pack(&value, sizeof value, 1, 1);
}

// C passes arguments smaller than int or double as int or double.
int pack_one(MessageBuffer& buffer, const Field& field, Arguments& arguments) {
  switch (field.type) {
    case 'c':
      return pack_value<char>(buffer, va_arg(arguments.list, int));
    case 'd':
      if (field.is_long) return pack_value<long>(buffer, va_arg(arguments.list, long));
      if (field.is_short) return pack_value<short>(buffer, va_arg(arguments.list, int));
      return pack_value<int>(buffer, va_arg(arguments.list, int));
    case 'f':
      if (field.is_long) return pack_value<double>(buffer, va_arg(arguments.list, double));
      return pack_value<float>(buffer, va_arg(arguments.list, double));
    default:
      return buffer.pack(va_arg(arguments.list, void*), element_bytes(field), 1, 1);
  }
}

int pack_field(const Field& field, Arguments& arguments) {
  MessageBuffer* buffer = state().buffers.sending();
  if (buffer == nullptr) return PvmNoBuf;
  if (field.type == 's') return buffer->pack_text(va_arg(arguments.list, char*));
  const std::size_t element = element_bytes(field);
  if (element == 0) return PvmBadParam;
  if (!field.counted && buffer->encoding() != PvmDataInPlace)
    return pack_one(*buffer, field, arguments);
  return buffer->pack(va_arg(arguments.list, void*), element, field.count, field.stride);
}

int unpack_field(const Field& field, Arguments& arguments) {
  MessageBuffer* buffer = state().buffers.receiving();
  if (buffer == nullptr) return PvmNoBuf;
  if (field.type == 's') return buffer->unpack_text(va_arg(arguments.list, char*));
  const std::size_t element = element_bytes(field);
  if (element == 0) return PvmBadParam;
  return buffer->unpack(va_arg(arguments.list, void*), element, field.count, field.stride);
}

int walk(const char* format, Arguments& arguments, int (*one)(const Field&, Arguments&)) {
  if (format == nullptr) return PvmBadParam;
  for (const char* at = format; *at != '\0';) {
    if (*at++ != '%') continue;
    int status = PvmOk;
    if (*at == '+') {
      ++at;
      status = pvm_initsend(va_arg(arguments.list, int));
    } else {
      status = one(read_field(at, arguments), arguments);
    }
    if (status < 0) return status;
  }
  return PvmOk;
}

}  // namespace

extern "C" {

// No header declares these two, but the real library has them.
TUTTI_API int pvm_vpackf(const char* format, va_list list);
TUTTI_API int pvm_vunpackf(const char* format, va_list list);

int pvm_vpackf(const char* format, va_list list) {
  Arguments arguments;
  va_copy(arguments.list, list);
  const int status = call("pvm_packf", [&] { return walk(format, arguments, pack_field); });
  va_end(arguments.list);
  return status;
}

int pvm_vunpackf(const char* format, va_list list) {
  Arguments arguments;
  va_copy(arguments.list, list);
  const int status = call("pvm_unpackf", [&] { return walk(format, arguments, unpack_field); });
  va_end(arguments.list);
  return status;
}

int pvm_packf(const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int status = pvm_vpackf(format, list);
  va_end(list);
  return status;
}

int pvm_unpackf(const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int status = pvm_vunpackf(format, list);
  va_end(list);
  return status;
}

}  // extern "C"

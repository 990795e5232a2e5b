// SPDX-License-Identifier: BSD-3-Clause
// Implements the names of element types and operators, for languages that cannot read macros.
#include <string_view>

#include "data/operator.hpp"
#include "tutti/tutti.h"

using namespace tutti;

namespace {

#define TUTTI_ELEMENT(element, name, NUMBER, bytes) \
  static_assert(static_cast<int>(data::Element::element) == TUTTI_##NUMBER);
#include "data/elements.def"
#undef TUTTI_ELEMENT

bool is_type(tutti_type type) {
  const auto number = static_cast<int>(type);
  return number >= 0 && number < data::element_kinds;
}

}  // namespace

extern "C" {

int tutti_type_named(const char* name) {
  for (int type = 0; name != nullptr && type < data::element_kinds; ++type) {
    if (std::string_view(name) == data::name_of(static_cast<data::Element>(type))) return type;
  }
  return -1;
}

const char* tutti_type_name(tutti_type type) {
  return is_type(type) ? data::name_of(static_cast<data::Element>(type)) : nullptr;
}

int64_t tutti_type_bytes(tutti_type type) {
  return is_type(type) ? static_cast<std::int64_t>(data::size_of(static_cast<data::Element>(type)))
                       : 0;
}

tutti_op tutti_op_named(const char* name) {
  for (int op = 0; name != nullptr && op < data::builtin_kinds; ++op) {
    if (std::string_view(name) == data::name_of(static_cast<data::Builtin>(op)))
      return {static_cast<std::uint64_t>(op) + 1};
  }
  return {0};
}

const char* tutti_op_name(tutti_op op) {
  return op.id - 1 < data::builtin_kinds ? data::name_of(static_cast<data::Builtin>(op.id - 1))
                                         : nullptr;
}

}  // extern "C"

// SPDX-License-Identifier: BSD-3-Clause
// Converts selectors to matches of the mailbox (selector.hpp).
#include "selector.hpp"

#include <limits>

#include "failure.hpp"
#include "nodes.hpp"

namespace tutti::nx {
namespace {

// The mask is in the pointer itself, so nothing has to stay for a receive that is posted.
std::uint32_t mask_in(void* user) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(user));
}

// A mask that a program writes as 0x80000006 is negative where long has 32 bits, and positive here.
// So the low 32 bits decide.
void select_types(tutti_match& match, long typesel) {
  if (typesel < std::numeric_limits<std::int32_t>::min() ||
      typesel > std::numeric_limits<std::uint32_t>::max())
    fail(EINVAL, "argument 'typesel' is {}, which is neither a type nor a mask of 32 bits",
         typesel);
  const auto bits = static_cast<std::uint32_t>(typesel);
  const auto selected = static_cast<std::int32_t>(bits);
  if (selected == -1) return;
  if (selected >= 0) {
    match.wanted |= bits;
    match.mask |= type_bits;
  } else {
    match.accept = tutti_accept_set;
    match.user = reinterpret_cast<void*>(std::uintptr_t{bits});
  }
}

}  // namespace

bool may_be_forced(const tutti_match& match) {
  if ((match.mask & forced_bit) != 0) return (match.wanted & forced_bit) != 0;
  if (match.accept == nullptr) return true;
  return match.accept(match.user, 0, key_space | forced_bit, 0) != 0;
}

std::string words_of(const tutti_match& match) {
  std::string words = "a message of any type";
  if (match.accept != nullptr) {
    words = fmt::format("a message of a type in {:#x}", mask_in(match.user));
  } else if ((match.mask & type_bits) != 0) {
    words = fmt::format("a message of type {}", type_of(match.wanted));
  }
  if ((match.mask & ptype_bits) != 0) words += fmt::format(", ptype {}", ptype_of(match.wanted));
  return words;
}

void check_type(long type) {
  if (type < 0 || type > std::numeric_limits<std::int32_t>::max())
    fail(EINVAL, "argument 'type' is {}, but types are 0 to {}", type,
         std::numeric_limits<std::int32_t>::max());
}

tutti_match match_of(long typesel, long nodesel, long ptypesel) {
  tutti_match match{sizeof match, TUTTI_ANY, key_space, space_bits, nullptr, nullptr};
  select_types(match, typesel);
  nodesel = as_int(nodesel);
  if (nodesel != -1) match.source = nodes().endpoint(nodesel);
  if (as_int(ptypesel) != -1) {
    match.wanted |= (static_cast<std::uint64_t>(ptypesel) & 0xffffU) << 32;
    match.mask |= ptype_bits;
  }
  return match;
}

}  // namespace tutti::nx

// SPDX-License-Identifier: BSD-3-Clause
// The collectives of the group interface for both languages. They return a code.
#pragma once

#include <tutti-icc/icc.h>

#include <new>

#include "errors.hpp"
#include "state.hpp"

namespace tutti::icc {

// Runs a call of the group interface and returns its code.
template <class Body>
long guarded(const char* call, const Body& body) noexcept {
  const NamedCall named(call);
  try {
    require(state().has_groups, iCC_g_ERROR_NO_INITIALIZATION);
    body();
    return iCC_g_OK;
  } catch (const Refusal& refusal) {
    return refusal.code;
  } catch (const std::bad_alloc&) {
    return iCC_g_ERROR_MALLOC;
  }
}

}  // namespace tutti::icc

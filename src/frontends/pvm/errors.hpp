// SPDX-License-Identifier: BSD-3-Clause
// The texts of PVM's errors, and the frame that every call of PVM runs in.
#pragma once

#include <tutti-pvm/pvm3.h>
#include <tutti/tutti_runtime.h>
#include <tutti/tutti_error.hpp>

#include <cstdio>
#include <exception>
#include <new>

#include "core.hpp"

namespace tutti::pvm {

[[nodiscard]] const char* text_of(int code);

// Needed outside of call(): while an object of this class lives, failed calls of tutti.h return
// their status and do not end the job.
using detail::Statuses;

// Runs the body of a call of PVM, after joining the machine if necessary. No exception leaves it.
template <class Body>
int call(const char* name, Body&& body) noexcept {
  int code = tutti_pvm_join();
  if (code == PvmOk && tutti_enter(name) != TUTTI_OK) {
    // The state of this front end belongs to the thread that is inside a call.
    std::fprintf(stderr, "libpvm: %s(): %s\n", name, tutti_error_text());
    return PvmSysErr;
  }
  if (code == PvmOk) {
    tutti_pvm_keep_reason("");
    try {
      code = body();
    } catch (const std::bad_alloc&) {
      code = PvmNoMem;
    } catch (const std::exception&) {
      code = PvmSysErr;
    }
    tutti_leave();
  }
  return code < 0 ? tutti_pvm_result(name, code) : code;
}

}  // namespace tutti::pvm

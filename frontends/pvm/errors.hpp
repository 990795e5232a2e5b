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

// A call of PVM, which tutti's reports name, as long as this object lives. The state of this front
// end belongs to the thread that is inside a call. If another one is, this says so on stderr, and
// the call must touch nothing.
class PvmCall {
 public:
  explicit PvmCall(const char* name) : is_inside_(tutti_enter(name) == TUTTI_OK) {
    if (!is_inside_) std::fprintf(stderr, "libpvm: %s(): %s\n", name, tutti_error_text());
  }
  ~PvmCall() {
    if (is_inside_) tutti_leave();
  }
  PvmCall(const PvmCall&) = delete;
  PvmCall& operator=(const PvmCall&) = delete;
  [[nodiscard]] bool is_inside() const { return is_inside_; }

 private:
  bool is_inside_;
};

// Joins the machine if necessary and returns the result of `body`, or a PVM error.
template <class Body>
int joined_result(Body&& body) noexcept {
  if (const int status = tutti_pvm_join(); status != PvmOk) return status;
  tutti_pvm_keep_reason("");
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return PvmNoMem;
  } catch (const std::exception&) {
    return PvmSysErr;
  }
}

// Runs the body of a call of PVM. No exception leaves it. An error is reported after the call,
// because the report may end the program, and exit handlers may call PVM.
template <class Body>
int call(const char* name, Body&& body) noexcept {
  int code = PvmOk;
  {
    const PvmCall current(name);
    if (!current.is_inside()) return PvmSysErr;
    code = joined_result(body);
  }
  return code < 0 ? tutti_pvm_result(name, code) : code;
}

}  // namespace tutti::pvm

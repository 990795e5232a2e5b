// SPDX-License-Identifier: BSD-3-Clause
// Turns exceptions of the C interface into statuses. No exception leaves a C function: a failed
// call keeps a text and has a status. The decision whether the program gets
// the status, or the job ends with the text, is made after a failure. So a call that succeeds pays
// nothing for it.
#pragma once

#include <string>

#include "api/inside.hpp"
#include "tutti/tutti.h"

namespace tutti::api {

void set_error_text(std::string text);
// Keeps the text that there is no memory in this process, for which none is needed, and returns it.
const char* set_out_of_memory_text(const char* routine) noexcept;
[[nodiscard]] const char* last_error_text();

// Called inside a catch. Keeps the text of the exception and returns its status.
tutti_status status_of_exception(const char* routine) noexcept;

// Called inside a catch, for a call of the program. Returns the status if the program wants
// statuses or if the status is an ordinary answer. Otherwise it ends the job.
tutti_status status_or_end(const char* routine) noexcept;

// Throws Error(bad_environment) if TUTTI_ERRORS has an unknown value.
void check_errors_variable();
// Returns true if the program itself has asked for statuses, not an interface between it and
// tutti.h.
[[nodiscard]] bool program_wants_statuses() noexcept;

// Runs the body of a function of tutti.h. An Error becomes a status and a text; any other exception
// becomes a status, too.
template <class Body>
tutti_status guarded(const char* routine, Body&& body) noexcept {
  try {
    const Inside inside;
    body();
    inside.check_alone();
    return TUTTI_OK;
  } catch (...) {
    return status_or_end(routine);
  }
}

// Runs the body of a function of tutti_runtime.h. Front ends have error rules of their own, so they
// always get statuses.
template <class Body>
tutti_status answered(const char* routine, Body&& body) noexcept {
  try {
    const Inside inside;
    body();
    inside.check_alone();
    return TUTTI_OK;
  } catch (...) {
    return status_of_exception(routine);
  }
}

}  // namespace tutti::api

// SPDX-License-Identifier: BSD-3-Clause
// No exception leaves a C function: a call that fails keeps a text and has a status. Whether the
// program gets the status or the job ends with the text is decided here, after the failure, so a
// call that succeeds pays nothing for it.
#pragma once

#include <string>

#include "tutti/tutti.h"

namespace tutti::api {

void set_error_text(std::string text);
[[nodiscard]] const char* last_error_text();

// Inside a catch: keeps the text of the exception and returns its status.
tutti_status status_of_exception(const char* routine) noexcept;

// Inside a catch: the same for a call of the program, which gets the status back only if it wants
// statuses or if the status is an ordinary answer. Else this ends the job.
tutti_status status_or_end(const char* routine) noexcept;

// Throws Error(bad_environment) if TUTTI_ERRORS has a value that is not understood.
void check_errors_variable();
// Whether the program itself, and no interface between it and tutti.h, has asked for statuses.
[[nodiscard]] bool program_wants_statuses() noexcept;

// Runs the body of a function of tutti.h; an Error becomes its status and text, anything else a
// status too.
template <class Body>
tutti_status guarded(const char* routine, Body&& body) noexcept {
  try {
    body();
    return TUTTI_OK;
  } catch (...) {
    return status_or_end(routine);
  }
}

// The same for a function of tutti_runtime.h: front ends have rules of their own for errors, so
// they always get statuses.
template <class Body>
tutti_status answered(const char* routine, Body&& body) noexcept {
  try {
    body();
    return TUTTI_OK;
  } catch (...) {
    return status_of_exception(routine);
  }
}

}  // namespace tutti::api

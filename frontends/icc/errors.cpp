// SPDX-License-Identifier: BSD-3-Clause
// Composes the line of an error and ends the job (errors.hpp).
#include "errors.hpp"

#include <tutti/tutti_runtime.h>

#include <cstdlib>

namespace tutti::icc {

void end_job(const char* call, const std::string& text) {
  const bool joined = tutti_initialized() != 0;
  const std::string line = joined
                               ? fmt::format("{}: {}; node {} of {}", call, text,
                                             tutti_rank(tutti_world()), tutti_size(tutti_world()))
                               : fmt::format("{}: {}", call, text);
  tutti_abort(1, line.c_str());
  std::_Exit(1);
}

void check(const char* call, tutti_status status) {
  if (status != TUTTI_OK) [[unlikely]]
    end_job(call, tutti_error_text());
}

NamedCall::NamedCall(const char* name) {
  if (tutti_enter(name) == TUTTI_OK) [[likely]]
    return;
  // The state of iCC belongs to the thread that is inside a call.
  const std::string line = fmt::format("{}: {}", name, tutti_error_text());
  tutti_abort(1, line.c_str());
  std::_Exit(1);
}

NamedCall::~NamedCall() {
  tutti_leave();
}

}  // namespace tutti::icc

// SPDX-License-Identifier: BSD-3-Clause
// How the verbs of `tutti` end: their exit codes, and one way to report an error.
#pragma once

#include <fmt/format.h>

#include "base/error.hpp"
#include "support/answer.hpp"

namespace tutti::tools {

constexpr int usage_error = 2;

// Returns the exit code of `body`. If `body` throws an error, prints it with the command's name.
template <class Body>
int reporting_errors(const char* command, const Body& body,
                     int code_for_system_errors = usage_error) {
  try {
    return body();
  } catch (const base::Error& error) {
    const int code =
        error.status() == base::Status::system_error ? code_for_system_errors : usage_error;
    print_error(fmt::format("tutti {}", command), error.status(), error.what(), code);
    return code;
  }
}

}  // namespace tutti::tools

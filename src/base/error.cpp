// SPDX-License-Identifier: BSD-3-Clause
// Holds the texts of the status codes.
#include "base/error.hpp"

#include <cerrno>
#include <system_error>

namespace tutti::base {

const char* text_of(Status status) {
  switch (status) {
#define TUTTI_STATUS(name, value, text) \
  case Status::name:                    \
    return text;
#include "base/status.def"
#undef TUTTI_STATUS
  }
  return "unknown status";
}

void fail_errno(const std::string& what) {
  const int code = errno;
  throw Error(Status::system_error, what + ": " + std::generic_category().message(code));
}

}  // namespace tutti::base

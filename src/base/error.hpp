// SPDX-License-Identifier: BSD-3-Clause
// The status codes and the only exception type. Errors are thrown while something is set up
// (attach, group, plan) or if a process cannot continue. No error is thrown while data move
// normally. The C functions turn errors into codes and texts.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace tutti::base {

enum class Status : int {
#define TUTTI_STATUS(name, value, text) name = value,
#include "base/status.def"
#undef TUTTI_STATUS
};

[[nodiscard]] const char* text_of(Status status);

class Error : public std::runtime_error {
 public:
  Error(Status status, const std::string& context) : std::runtime_error(context), status_(status) {}
  [[nodiscard]] Status status() const { return status_; }

 private:
  Status status_;
};

template <class... Args>
[[noreturn]] void fail(Status status, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(status, fmt::format(format, std::forward<Args>(args)...));
}

// Throws for a system call that failed, and appends the text of errno.
[[noreturn]] void fail_errno(const std::string& what);

}  // namespace tutti::base

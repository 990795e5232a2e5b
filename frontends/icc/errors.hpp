// SPDX-License-Identifier: BSD-3-Clause
// Errors of iCC calls. The simple interface has no way to report one, so the job ends with one line
// that names the call, what is wrong, and the node. The group interface returns codes.
#pragma once

#include <fmt/format.h>
#include <tutti-icc/icc.h>

#include <string>
#include <utility>

namespace tutti::icc {

[[noreturn]] void end_job(const char* call, const std::string& text);

template <class... Args>
[[noreturn]] void fail(const char* call, fmt::format_string<Args...> format, Args&&... args) {
  end_job(call, fmt::format(format, std::forward<Args>(args)...));
}

// Ends the job with tutti's explanation if the status is not TUTTI_OK.
void check(const char* call, tutti_status status);

// While an object of this class lives, reports about this process name the call, and failed calls
// of tutti.h return their status. If another thread is inside a call, the job ends.
class NamedCall {
 public:
  explicit NamedCall(const char* name);
  ~NamedCall();
  NamedCall(const NamedCall&) = delete;
  NamedCall& operator=(const NamedCall&) = delete;
};

// A call of the group interface throws a Refusal to return an error code.
struct Refusal {
  long code;
};
inline void require(bool condition, long code) {
  if (!condition) [[unlikely]]
    throw Refusal{code};
}

}  // namespace tutti::icc

// SPDX-License-Identifier: BSD-3-Clause
// Errors of NX calls. A call such as crecv prints one line and ends the job; its form with an
// underscore, _crecv, sets errno and returns -1.
#pragma once

#include <fmt/format.h>
#include <tutti/tutti_runtime.h>

#include <cerrno>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace tutti::nx {

// The reason why a call failed, in words and as a value of errno.
class CallFailure : public std::runtime_error {
 public:
  CallFailure(int error, const std::string& text) : std::runtime_error(text), error_(error) {}
  [[nodiscard]] int error() const noexcept { return error_; }

 private:
  int error_;
};

// Out of line and with arguments by value, so that correct calls keep nothing in memory or in
// registers for the error.
template <class... Args>
[[noreturn, gnu::noinline, gnu::cold]] void fail(int error, fmt::format_string<Args...> format,
                                                 Args... args) {
  throw CallFailure(error, fmt::vformat(fmt::string_view(format), fmt::make_format_args(args...)));
}

// Throws the CallFailure of a call of tutti that did not succeed.
[[noreturn]] void fail_status(tutti_status status);
inline void check(tutti_status status) {
  if (status != TUTTI_OK) [[unlikely]]
    fail_status(status);
}

[[noreturn]] void end_job(const char* call, const char* text);

// While an object of this class lives, reports about this process name the call. If another thread
// is inside a call, the job ends.
class NxCall {
 public:
  explicit NxCall(const char* name) {
    if (tutti_enter(name) != TUTTI_OK) [[unlikely]]
      refuse_thread(name);
  }
  ~NxCall() { tutti_leave(); }
  NxCall(const NxCall&) = delete;
  NxCall& operator=(const NxCall&) = delete;

 private:
  // The state of NX belongs to the thread that is inside a call.
  [[noreturn]] static void refuse_thread(const char* name);
};

// Does what every call does first: runs the handlers of messages that are over, and looks for
// forced messages if they are errors. Throws CallFailure.
void begin_call();

// Runs the body of a call that ends the job if it fails.
template <class Body>
auto ending(const char* name, const Body& body) noexcept {
  const NxCall call(name);
  try {
    begin_call();
    return body();
  } catch (const std::bad_alloc&) {
    end_job(name, "out of memory in this process");
  } catch (const std::exception& failure) {
    end_job(name, failure.what());
  }
}

// Runs the body of a call that sets errno and returns -1 if it fails.
template <class Body>
long answering(const char* name, const Body& body) noexcept {
  const NxCall call(name);
  try {
    begin_call();
    if constexpr (std::is_void_v<decltype(body())>) {
      body();
      return 0;
    } else {
      return static_cast<long>(body());
    }
  } catch (const CallFailure& failure) {
    errno = failure.error();
  } catch (const std::exception&) {
    errno = ENOMEM;
  }
  return -1;
}

}  // namespace tutti::nx

// SPDX-License-Identifier: BSD-3-Clause
// The errors of tutti.hpp: a failed call of tutti.h becomes an exception. An exception that nobody
// catches ends the job with its text.
#ifndef TUTTI_TUTTI_ERROR_HPP
#define TUTTI_TUTTI_ERROR_HPP

#include <tutti/tutti.h>

#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>

namespace tutti {

// A failed call: its status, and the text of the library as what().
class Error : public std::runtime_error {
 public:
  Error(tutti_status status, const std::string& text) : std::runtime_error(text), status_(status) {}
  [[nodiscard]] tutti_status status() const noexcept { return status_; }

 private:
  tutti_status status_;
};

namespace detail {

// While this object lives, failed calls of tutti.h return their status, whatever the program has
// chosen for its own calls. The callers here turn it into an exception.
class Statuses {
 public:
  Statuses() { tutti_errors_push_return(); }
  ~Statuses() { tutti_errors_pop(); }
  Statuses(const Statuses&) = delete;
  Statuses& operator=(const Statuses&) = delete;
};

template <class Function, class... Arguments>
auto quietly(Function function, Arguments... arguments) {
  const Statuses statuses;
  return function(arguments...);
}

inline std::terminate_handler handler_before = nullptr;

// Ends the job with the text of an Error that nobody catches, as the same error of a C program
// does.
[[noreturn]] inline void end_uncaught() {
  try {
    if (std::current_exception()) throw;
  } catch (const Error& error) {
    tutti_abort(1, error.what());
  } catch (...) {
  }
  if (handler_before != nullptr) handler_before();
  std::abort();
}

[[noreturn]] inline void fail(tutti_status status, const std::string& text) {
  static const bool once = (handler_before = std::set_terminate(end_uncaught), true);
  static_cast<void>(once);
  throw Error(status, text);
}

// Calls a function of tutti.h that may have to wait longer than it is allowed to; returns false
// then. Throws Error if it fails.
template <class Function, class... Arguments>
[[nodiscard]] bool attempt_or_wait(Function function, Arguments... arguments) {
  const tutti_status status = quietly(function, arguments...);
  if (status == TUTTI_OK || status == TUTTI_WOULD_WAIT) return status == TUTTI_OK;
  const char* text = tutti_error_text();
  fail(status, text != nullptr && *text != '\0' ? text : tutti_strerror(status));
}

// Calls a function of tutti.h and throws Error if it fails.
template <class Function, class... Arguments>
void attempt(Function function, Arguments... arguments) {
  if (!attempt_or_wait(function, arguments...)) fail(TUTTI_WOULD_WAIT, tutti_error_text());
}

}  // namespace detail
}  // namespace tutti

#endif

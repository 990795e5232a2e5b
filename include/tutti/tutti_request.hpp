// SPDX-License-Identifier: BSD-3-Clause
// The requests of tutti.hpp: operations that go on while their process does other things.
#ifndef TUTTI_TUTTI_REQUEST_HPP
#define TUTTI_TUTTI_REQUEST_HPP

#include <tutti/tutti.h>
#include <tutti/tutti_error.hpp>

#include <utility>

namespace tutti {

// An operation that was started, or that start() starts as often as it is called. Its data must
// stay until it is done; the destructor waits if it is in flight. Requests can be moved, but not
// copied.
class Request {
 public:
  Request() = default;
  explicit Request(tutti_request handle, bool persistent = false)
      : handle_(handle), persistent_(persistent) {}
  Request(Request&& other) noexcept
      : handle_(std::exchange(other.handle_, tutti_request{0})), persistent_(other.persistent_) {}
  Request& operator=(Request&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(persistent_, other.persistent_);
    return *this;
  }
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;
  ~Request() {
    detail::quietly(tutti_wait, &handle_);
    if (persistent_) detail::quietly(tutti_request_free, &handle_);
  }

  void start() { detail::attempt(tutti_start, handle_); }
  void wait() { detail::attempt(tutti_wait, &handle_); }
  // Waits for at most so many seconds. Returns false if that is not enough.
  [[nodiscard]] bool wait_for(double seconds) {
    return detail::attempt_or_wait(tutti_wait_for, &handle_, seconds);
  }
  [[nodiscard]] bool test() {
    int done = 0;
    detail::attempt(tutti_test, &handle_, &done);
    return done != 0;
  }
  // Takes back a message that nobody has seen. Returns false if there is none.
  [[nodiscard]] bool cancel() {
    int cancelled = 0;
    detail::attempt(tutti_cancel, &handle_, &cancelled);
    return cancelled != 0;
  }
  [[nodiscard]] tutti_request handle() const noexcept { return handle_; }

 private:
  tutti_request handle_{0};
  bool persistent_ = false;
};

}  // namespace tutti

#endif

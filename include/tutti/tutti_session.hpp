// SPDX-License-Identifier: BSD-3-Clause
// The part of tutti.hpp about the life of a process in its job.
#ifndef TUTTI_TUTTI_SESSION_HPP
#define TUTTI_TUTTI_SESSION_HPP

#include <tutti/tutti.h>
#include <tutti/tutti_error.hpp>

#include <exception>

namespace tutti {

// Joins the job when it is constructed, and leaves it at the end of the scope. A destructor cannot
// throw, so an error of tutti_finalize has the effect that it has in C: it ends the job, unless the
// program has called tutti_errors_return(). If an exception leaves the scope, that error is
// ignored.
class Session {
 public:
  Session() { detail::attempt(tutti_init); }
  ~Session() {
    if (std::uncaught_exceptions() > exceptions_) {
      detail::quietly(tutti_finalize);
    } else {
      tutti_finalize();
    }
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  int exceptions_ = std::uncaught_exceptions();
};

}  // namespace tutti

#endif

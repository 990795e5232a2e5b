// SPDX-License-Identifier: BSD-3-Clause
// Errors of BLACS calls. The message names the routine, the argument, its value, the process and
// its place. Then the job ends.
#pragma once

#include <fmt/format.h>
#include <tutti/tutti.h>
#include <tutti/tutti_error.hpp>

#include <string>
#include <utility>

#include "dialect.hpp"

namespace tutti::blacs {

// A routine that works in a grid. While an object of this class lives, reports about this process
// name the routine.
class RoutineCall {
 public:
  // A grid that does not exist ends the job.
  RoutineCall(const char* routine, int context);
  ~RoutineCall();
  RoutineCall(const RoutineCall&) = delete;
  RoutineCall& operator=(const RoutineCall&) = delete;

  [[nodiscard]] Grid& grid() const { return *grid_; }
  [[nodiscard]] const char* routine() const { return routine_; }
  // Returns a text such as "process {0,1}, context 0".
  [[nodiscard]] std::string where() const { return place_of_call(*grid_, context_); }

 private:
  const char* routine_;
  int context_;
  Grid* grid_ = nullptr;
};

[[noreturn]] void end_job(const std::string& text);
void print_warning(const std::string& text);

template <class... Args>
[[noreturn]] void fail(const RoutineCall& call, fmt::format_string<Args...> format,
                       Args&&... args) {
  end_job(fmt::format("{}: {}; {}", call.routine(),
                      fmt::format(format, std::forward<Args>(args)...), call.where()));
}

// Ends the job if an argument that is an address is NULL.
inline void require(const RoutineCall& call, const char* argument, const void* address) {
  if (address == nullptr) fail(call, "argument '{}' is NULL", argument);
}

template <class... Args>
void warn(const RoutineCall& call, fmt::format_string<Args...> format, Args&&... args) {
  print_warning(fmt::format("{}: {}; {}", call.routine(),
                            fmt::format(format, std::forward<Args>(args)...), call.where()));
}

// Serves routines outside of any grid: the message names the process by its number in the job.
[[noreturn]] void fail_outside(const char* routine, const std::string& text);

// Ends the job with tutti's explanation if the status is not TUTTI_OK.
void check(const RoutineCall& call, tutti_status status);
// Calls a function of tutti outside of any RoutineCall, and ends the job if it fails. The function
// itself must not end the job with its own message, so it is called quietly.
template <class... Parameters, class... Arguments>
void check_outside(const char* routine, tutti_status (*function)(Parameters...),
                   Arguments... arguments) {
  if (detail::quietly(function, arguments...) != TUTTI_OK)
    fail_outside(routine, tutti_error_text());
}

}  // namespace tutti::blacs

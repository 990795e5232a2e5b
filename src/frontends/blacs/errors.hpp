// SPDX-License-Identifier: BSD-3-Clause
// What the BLACS say when a call is wrong: routine, argument, value, process and context; then the
// job ends.
#pragma once

#include <fmt/format.h>
#include <tutti/tutti.h>
#include <tutti/tutti_error.hpp>

#include <string>
#include <utility>

#include "state.hpp"

namespace tutti::blacs {

// A routine that works in a grid. While it lives, reports about this process name the routine.
class RoutineCall {
 public:
  // Ends the job if the context is not one.
  RoutineCall(const char* routine, int context);
  ~RoutineCall();
  RoutineCall(const RoutineCall&) = delete;
  RoutineCall& operator=(const RoutineCall&) = delete;

  [[nodiscard]] Grid& grid() const { return *grid_; }
  [[nodiscard]] const char* routine() const { return routine_; }
  // "process {0,1}, context 0"
  [[nodiscard]] std::string where() const;

 private:
  const char* routine_;
  int context_;
  Grid* grid_;
};

[[noreturn]] void end_job(const std::string& text);
void print_warning(const std::string& text);

template <class... Args>
[[noreturn]] void fail(const RoutineCall& call, fmt::format_string<Args...> format,
                       Args&&... args) {
  end_job(fmt::format("{}: {}; {}", call.routine(),
                      fmt::format(format, std::forward<Args>(args)...), call.where()));
}

template <class... Args>
void warn(const RoutineCall& call, fmt::format_string<Args...> format, Args&&... args) {
  print_warning(fmt::format("{}: {}; {}", call.routine(),
                            fmt::format(format, std::forward<Args>(args)...), call.where()));
}

// For routines outside any grid: the process is named by its number in the job.
[[noreturn]] void fail_outside(const char* routine, const std::string& text);

// A status that is not TUTTI_OK ends the job with tutti's own explanation.
void check(const RoutineCall& call, tutti_status status);
// The same outside of any Call, for the function that gives the status: it must not end the job in
// its own words.
template <class... Parameters, class... Arguments>
void check_outside(const char* routine, tutti_status (*function)(Parameters...),
                   Arguments... arguments) {
  if (detail::quietly(function, arguments...) != TUTTI_OK)
    fail_outside(routine, tutti_error_text());
}

}  // namespace tutti::blacs

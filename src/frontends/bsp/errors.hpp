// SPDX-License-Identifier: BSD-3-Clause
// What BSPlib says when a call is wrong: routine, what is wrong, process and superstep; then all
// processes end.
#pragma once

#include <fmt/format.h>
#include <tutti/tutti.h>
#include <tutti/tutti_error.hpp>

#include <cstdint>
#include <string>

namespace tutti::bsp {

// A place in the program, for messages.
[[nodiscard]] std::string place_text(std::uint64_t site);
// The same, remembered.
[[nodiscard]] const std::string& site_text(std::uint64_t site);

// Which process this is, and its superstep; between bsp_begin and bsp_end.
[[nodiscard]] std::string process_text();

[[noreturn]] void end_all(const char* routine, const std::string& text);

// Out of line and by value: calls that are right keep nothing in memory or in registers for it.
template <class... Args>
[[noreturn, gnu::noinline, gnu::cold]] void fail(const char* routine,
                                                 fmt::format_string<Args...> format,
                                                 Args... args) noexcept {
  end_all(routine, fmt::vformat(fmt::string_view(format), fmt::make_format_args(args...)));
}

[[noreturn]] void fail_status(const char* routine);
// A status that is not TUTTI_OK ends all with tutti's own explanation.
template <class... Parameters, class... Arguments>
inline void check(const char* routine, tutti_status (*function)(Parameters...),
                  Arguments... arguments) {
  if (detail::quietly(function, arguments...) != TUTTI_OK) [[unlikely]]
    fail_status(routine);
}

}  // namespace tutti::bsp

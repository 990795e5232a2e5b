// SPDX-License-Identifier: BSD-3-Clause
// Errors of BSPlib calls. The message names the routine, what is wrong, the process and the
// superstep. Then all processes end.
#pragma once

#include <fmt/format.h>
#include <tutti/tutti.h>
#include <tutti/tutti_error.hpp>

#include <cstdint>
#include <string>

namespace tutti::bsp {

// Describes a place in the program, for messages.
[[nodiscard]] std::string place_text(std::uint64_t site);
// Describes a place in the program as place_text does, and remembers the text.
[[nodiscard]] const std::string& site_text(std::uint64_t site);

// Names this process and its superstep; only between bsp_begin and bsp_end.
[[nodiscard]] std::string process_text();

[[noreturn]] void end_all(const char* routine, const std::string& text);

// Out of line and with arguments by value, so that correct calls keep nothing in memory or in
// registers for the error.
template <class... Args>
[[noreturn, gnu::noinline, gnu::cold]] void fail(const char* routine,
                                                 fmt::format_string<Args...> format,
                                                 Args... args) noexcept {
  end_all(routine, fmt::vformat(fmt::string_view(format), fmt::make_format_args(args...)));
}

[[noreturn]] void fail_status(const char* routine);
// Calls a function of tutti. If its status is not TUTTI_OK, the job ends with tutti's explanation.
template <class... Parameters, class... Arguments>
inline void check(const char* routine, tutti_status (*function)(Parameters...),
                  Arguments... arguments) {
  if (detail::quietly(function, arguments...) != TUTTI_OK) [[unlikely]]
    fail_status(routine);
}

}  // namespace tutti::bsp

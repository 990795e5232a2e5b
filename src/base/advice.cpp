// SPDX-License-Identifier: BSD-3-Clause
// Makes command lines that name this program.
#include "base/advice.hpp"

#include <fmt/format.h>

#include <cerrno>

namespace tutti::base {

std::string run_line(std::string_view launcher, int n, std::string_view before) {
  return fmt::format("{} -n {}{} {}", launcher, n > 0 ? std::to_string(n) : "N", before,
                     program_invocation_name);
}

}  // namespace tutti::base

// SPDX-License-Identifier: BSD-3-Clause
// A check that what an application has printed was written: a full disk must not look like success.
#pragma once

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace support {

// Writes what the process has printed to stdout. Throws if that, or anything before, is lost.
inline void require_output() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  throw std::runtime_error(fmt::format("the output cannot be written: {}", std::strerror(errno)));
}

}  // namespace support

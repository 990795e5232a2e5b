// SPDX-License-Identifier: BSD-3-Clause
// Asks the terminal.
#include "support/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

namespace tutti::tools {

std::optional<std::size_t> terminal_width() {
  constexpr std::size_t usual = 80;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return std::nullopt;
  return size.ws_col > 0 ? size.ws_col : usual;
}

}  // namespace tutti::tools

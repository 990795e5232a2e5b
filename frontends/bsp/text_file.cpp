// SPDX-License-Identifier: BSD-3-Clause
// Asks tutti for a descriptor that is not 0, 1 or 2.
#include "text_file.hpp"

#include <fcntl.h>
#include <tutti/tutti_runtime.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace tutti::bsp {

std::string text_of_file(const std::string& path) {
  const int file = tutti_raise_descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  std::array<char, 1 << 16> piece;
  ssize_t got = file < 0 ? 0 : 1;
  while (got > 0 || (got < 0 && errno == EINTR)) {
    got = ::read(file, piece.data(), piece.size());
    if (got > 0) text.append(piece.data(), static_cast<std::size_t>(got));
  }
  if (file >= 0) ::close(file);
  return text;
}

}  // namespace tutti::bsp

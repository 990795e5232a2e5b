// SPDX-License-Identifier: BSD-3-Clause
// Reads files up to a limit, because a path may lead to an endless file.
#include "machine/read_file.hpp"

#include "base/error.hpp"
#include "base/input_file.hpp"

namespace tutti::machine {
namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;

}  // namespace

std::string read_file(const std::string& path, const char* what) {
  base::InputFile file(path);
  std::string text;
  char buffer[1 << 16];
  while (file.read(buffer, sizeof buffer), file.gcount() > 0) {
    text.append(buffer, static_cast<std::size_t>(file.gcount()));
    if (text.size() > most_bytes)
      base::fail(base::Status::invalid_argument, "{} {}: longer than {} MiB, so it is none", what,
                 path, most_bytes >> 20);
  }
  if (!file.eof())
    base::fail(base::Status::invalid_argument, "{} {}: the file cannot be read", what, path);
  return text;
}

}  // namespace tutti::machine

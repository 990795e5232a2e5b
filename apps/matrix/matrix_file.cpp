// SPDX-License-Identifier: BSD-3-Clause
#include "matrix_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "formats.hpp"

namespace matrix {

void File::fail(const std::string& reason) const {
  throw std::runtime_error(fmt::format("'{}': {}", path_, reason));
}

std::unique_ptr<File> File::open(const std::string& path, const Raw& raw) {
  Stream stream(std::fopen(path.c_str(), "rb"));
  if (!stream)
    throw std::runtime_error(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  if (path.ends_with(raw_ending)) return open_raw(path, std::move(stream), raw);
  char start[8] = {};
  errno = 0;
  const std::size_t length = std::fread(start, 1, sizeof start, stream.get());
  if (length == 0 && errno != 0)  // a folder, for example
    throw std::runtime_error(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  std::rewind(stream.get());
  const std::string_view begin(start, length);
  if (begin.starts_with(numpy_magic)) return open_numpy(path, std::move(stream));
  if (begin.starts_with("%%Matrix")) return open_matrix_market(path, std::move(stream));
  throw std::runtime_error(
      fmt::format("'{}' is no matrix: it begins neither as a Matrix Market file nor as one of "
                  "NumPy (.npy), and "
                  "its name does not end in .raw",
                  path));
}

}  // namespace matrix

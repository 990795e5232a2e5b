// SPDX-License-Identifier: BSD-3-Clause
// Gives a stream a descriptor that is open already, which std::ifstream does not take.
#include "base/input_file.hpp"

#include <fcntl.h>

#include "base/descriptor.hpp"
#include "base/uninterrupted.hpp"

namespace tutti::base {

InputFile::InputFile(const std::string& path) : std::istream(nullptr) {
  const int file =
      raised(uninterrupted([&path] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); }));
  if (file < 0) {
    setstate(std::ios::failbit);
    return;
  }
  buffer_ = __gnu_cxx::stdio_filebuf<char>(file, std::ios::in | std::ios::binary);
  rdbuf(&buffer_);
}

}  // namespace tutti::base

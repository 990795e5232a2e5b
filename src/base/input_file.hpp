// SPDX-License-Identifier: BSD-3-Clause
// A file that is read as a std::ifstream is, but by a descriptor of tutti's own (descriptor.hpp).
#pragma once

#include <ext/stdio_filebuf.h>

#include <istream>
#include <string>

namespace tutti::base {

class InputFile : public std::istream {
 public:
  explicit InputFile(const std::string& path);

 private:
  __gnu_cxx::stdio_filebuf<char> buffer_;
};

}  // namespace tutti::base

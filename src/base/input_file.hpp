// SPDX-License-Identifier: BSD-3-Clause
// A file that is read as a std::ifstream is, but by a descriptor of tutti's own (descriptor.hpp).
#pragma once

#include <array>
#include <ios>
#include <istream>
#include <streambuf>
#include <string>

#include "base/descriptor.hpp"

namespace tutti::base {

class InputFile : public std::istream {
 public:
  explicit InputFile(const std::string& path);

 private:
  class Buffer : public std::streambuf {
   public:
    void read_from(Descriptor file) { file_ = std::move(file); }

   private:
    int_type underflow() override;
    pos_type seekpos(pos_type position, std::ios_base::openmode which) override;

    Descriptor file_;
    std::array<char, 4096> bytes_{};
  };

  Buffer buffer_;
};

}  // namespace tutti::base

// SPDX-License-Identifier: BSD-3-Clause
// The bytes of a file in all processes.
#pragma once

#include <string>
#include <string_view>

namespace llcs {

// A regular file is mapped, so that the processes of a host share it. Anything else, such as a
// pipe, can be read only once: process 0 reads it and gives it to the others.
class File {
 public:
  // All processes call it. Throws std::runtime_error that names the file.
  explicit File(const std::string& name);
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  [[nodiscard]] std::string_view bytes() const {
    return mapped_ > 0 ? std::string_view(data_, mapped_) : std::string_view(content_);
  }

 private:
  void map(const std::string& name);
  void share();

  const char* data_ = nullptr;
  std::size_t mapped_ = 0;  // bytes at data_
  std::string content_;     // of a pipe
};

}  // namespace llcs

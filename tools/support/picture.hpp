// SPDX-License-Identifier: BSD-3-Clause
// Files that viewers have to show: pictures and traces. One that is too large for them is refused,
// with what to ask for.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

namespace tutti::tools {

constexpr std::size_t most_picture_bytes = 8'000'000;

struct PictureFile {
  std::string path;
  const char* option;   // that named the file
  const char* instead;  // what to ask for when it is too large
  bool force = false;   // any size will do
};

// Writes all of it or, with an Error(invalid_argument), nothing.
void write_picture(const PictureFile& file, const std::string& text);

// For a text that may be far too large to be held: takes it in pieces, keeps them while they are
// few enough, and counts the rest.
class PictureText {
 public:
  explicit PictureText(PictureFile file) : file_(std::move(file)) {}
  void add(const std::string& piece);
  // As write_picture.
  void write() const;

 private:
  PictureFile file_;
  std::string text_;
  std::size_t size_ = 0;
};

}  // namespace tutti::tools

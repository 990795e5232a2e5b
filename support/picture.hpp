// SPDX-License-Identifier: BSD-3-Clause
// Writes files for viewers: pictures and traces. Refuses a file that is too large for a viewer,
// with advice on what to request instead.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::tools {

constexpr std::string_view standard_output = "-";  // as the path of a file
constexpr std::size_t most_picture_bytes = 8'000'000;

struct PictureFile {
  std::string path;
  const char* option;   // option that named the file
  const char* instead;  // advice if the file is too large
  bool force = false;   // if true, any size is written
};

// Throws Error(invalid_argument) if more than one of these options, or one of them and --json,
// would write to the standard output. Paths may be empty.
void require_one_output(bool json,
                        const std::vector<std::pair<std::string, std::string>>& paths_by_option);

// Writes the whole text, or throws Error(invalid_argument) and writes nothing.
void write_picture(const PictureFile& file, const std::string& text);

// Collects a text in pieces that may become too large for memory. Keeps the pieces while the size
// is allowed, and afterwards only counts.
class PictureText {
 public:
  explicit PictureText(PictureFile file) : file_(std::move(file)) {}
  void add(const std::string& piece);
  // Writes the text as write_picture does.
  void write() const;

 private:
  PictureFile file_;
  std::string text_;
  std::size_t size_ = 0;
};

}  // namespace tutti::tools

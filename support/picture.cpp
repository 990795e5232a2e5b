// SPDX-License-Identifier: BSD-3-Clause
// Writes pictures and traces. Checks the size of the text before it touches a file.
#include "support/picture.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"

namespace tutti::tools {
namespace {

void check(const PictureFile& file, std::size_t size) {
  if (file.force || size <= most_picture_bytes) return;
  base::fail(base::Status::invalid_argument,
             "{} {} would have {:.1f} MB, and above {} MB viewers give up: ask for {}; --force "
             "writes it all the same",
             file.option, file.path, static_cast<double>(size) / 1e6,
             most_picture_bytes / 1'000'000, file.instead);
}

void write_whole(const std::string& path, const std::string& text) {
  if (path == standard_output) return fmt::print("{}", text);
  std::ofstream stream(path, std::ios::binary);
  if (stream && stream.write(text.data(), static_cast<std::streamsize>(text.size())) &&
      stream.flush())
    return;
  const bool opened = stream.is_open();
  stream.close();
  std::error_code ignored;
  if (opened && std::filesystem::is_regular_file(path, ignored))
    std::filesystem::remove(path, ignored);
  base::fail(base::Status::invalid_argument, "{} cannot be written", path);
}

}  // namespace

void require_one_output(bool json,
                        const std::vector<std::pair<std::string, std::string>>& paths_by_option) {
  std::string taken = json ? "--json" : "";
  for (const auto& [option, path] : paths_by_option) {
    if (path != standard_output) continue;
    if (!taken.empty())
      base::fail(base::Status::invalid_argument,
                 "{} and {} - would both write to the standard output", taken, option);
    taken = option + " -";
  }
}

void write_picture(const PictureFile& file, const std::string& text) {
  check(file, text.size());
  write_whole(file.path, text);
}

void PictureText::add(const std::string& piece) {
  size_ += piece.size();
  if (file_.force || size_ <= most_picture_bytes) text_ += piece;
}

void PictureText::write() const {
  check(file_, size_);
  write_whole(file_.path, text_);
}

}  // namespace tutti::tools

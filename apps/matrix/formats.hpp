// SPDX-License-Identifier: BSD-3-Clause
// The formats behind File::open(). The streams are at the start of their files.
#pragma once

#include <string_view>

#include "matrix_file.hpp"

namespace matrix {

struct Close {
  // Failure is harmless: the file was only read.
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using Stream = std::unique_ptr<std::FILE, Close>;

constexpr std::string_view numpy_magic = "\x93NUMPY";

std::unique_ptr<File> open_matrix_market(const std::string& path, Stream stream);
std::unique_ptr<File> open_numpy(const std::string& path, Stream stream);
std::unique_ptr<File> open_raw(const std::string& path, Stream stream, const Raw& raw);

constexpr std::string_view raw_ending = ".raw";

}  // namespace matrix

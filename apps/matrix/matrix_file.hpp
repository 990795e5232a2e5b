// SPDX-License-Identifier: BSD-3-Clause
// Dense matrices in files: Matrix Market (array and coordinate) and NumPy's .npy.
#pragma once

#include <complex>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>

namespace matrix {

using Value = std::complex<double>;

// All errors are std::runtime_error, whose text names the file and, in text, the line.
class File {
 public:
  // Opens a file and reads its header. The first bytes say which format it has.
  static std::unique_ptr<File> open(const std::string& path);
  virtual ~File() = default;

  // Calls the function for every element that the file has; the others are 0. Rows and columns
  // count from 0. A file is read from its start to its end once, and never kept as a whole.
  virtual void read(const std::function<void(long row, long column, Value value)>& take) = 0;

  [[nodiscard]] long rows() const { return rows_; }
  [[nodiscard]] long columns() const { return columns_; }
  [[nodiscard]] bool is_complex() const { return is_complex_; }

 protected:
  explicit File(std::string path) : path_(std::move(path)) {}
  [[noreturn]] void fail(const std::string& reason) const;

  std::string path_;
  long rows_ = 0, columns_ = 0;
  bool is_complex_ = false;
};

}  // namespace matrix

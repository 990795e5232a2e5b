// SPDX-License-Identifier: BSD-3-Clause
// Dense matrices in files: Matrix Market (array and coordinate), NumPy's .npy, and raw.
#pragma once

#include <complex>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>

namespace matrix {

using Value = std::complex<double>;

// The types of elements that files without a header may have.
enum class Element { float_, double_, complex };
[[nodiscard]] std::size_t size_of(Element element);

// The sizes of a raw file, which has numbers row by row and nothing else.
struct Raw {
  long rows, columns;
  Element element;
};

// All errors are std::runtime_error, whose text names the file and, in text, the line.
class File {
 public:
  // Opens a file and reads its header. The first bytes say which format it has, but a name that
  // ends in .raw stands for a raw file.
  static std::unique_ptr<File> open(const std::string& path, const Raw& raw);
  virtual ~File() = default;

  // Calls the function for every element that the file has; the others are 0. Where a file has an
  // element several times, its values are to be added, as other programs do. Rows and columns count
  // from 0. A file is read from its start to its end once, and never kept as a whole.
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

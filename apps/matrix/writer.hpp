// SPDX-License-Identifier: BSD-3-Clause
// Writes a dense matrix to a file: NumPy's format if its name ends in .npy, else Matrix Market.
#pragma once

#include <string>
#include <vector>

#include "matrix_file.hpp"

namespace matrix {

// All errors are std::runtime_error, whose text names the file.
class Writer {
 public:
  static std::unique_ptr<Writer> create(const std::string& path, long rows, long columns,
                                        bool is_complex);
  virtual ~Writer() = default;

  // Tells whether line() wants columns one after the other, or rows.
  [[nodiscard]] virtual bool by_columns() const = 0;
  virtual void line(const std::vector<Value>& values) = 0;
  // Closes the file, and reports what could not be written.
  virtual void finish() = 0;
};

}  // namespace matrix

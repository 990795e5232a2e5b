// SPDX-License-Identifier: BSD-3-Clause
// Writes a dense matrix to a file: NumPy's format if its name ends in .npy, raw if it ends in .raw,
// else Matrix Market. The file gets its name when it is complete, so that an earlier one of this
// name stays until then.
#pragma once

#include <string>
#include <vector>

#include "matrix_file.hpp"

namespace matrix {

// All errors are std::runtime_error, whose text names the file.
class Writer {
 public:
  static std::unique_ptr<Writer> create(const std::string& path, long rows, long columns,
                                        Element element);
  virtual ~Writer() = default;

  // Tells whether line() wants columns one after the other, or rows.
  [[nodiscard]] virtual bool by_columns() const = 0;
  virtual void line(const std::vector<Value>& values) = 0;
  // Closes and names the file, and reports what could not be written.
  virtual void finish() = 0;
};

}  // namespace matrix

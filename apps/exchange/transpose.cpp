// SPDX-License-Identifier: BSD-3-Clause
#include "digest.hpp"

namespace exchange {
namespace {

class Transpose final : public Program {
 public:
  Transpose(Exchange& exchange, std::size_t size)
      : rows_(size), from_(rows_), to_(rows_), transposer_(rows_, exchange) {
    for (std::size_t i = 0; i < rows_.count; ++i)
      for (std::size_t j = 0; j < size; ++j) from_.row(i)[j] = value(rows_.first + i, j);
  }
  void run() override { transposer_.transpose(from_, to_); }
  [[nodiscard]] double error() const override {
    for (std::size_t i = 0; i < rows_.count; ++i)
      for (std::size_t j = 0; j < rows_.size; ++j)
        if (to_.row(i)[j] != value(j, rows_.first + i)) return 1;
    return 0;
  }
  [[nodiscard]] std::uint64_t digest() const override { return digest_of(to_); }

 private:
  [[nodiscard]] double value(std::size_t row, std::size_t column) const {
    return static_cast<double>(row * rows_.size + column);
  }

  Rows rows_;
  Matrix<double> from_, to_;
  Transposer<double> transposer_;
};

}  // namespace

std::unique_ptr<Program> matrix_transpose(Exchange& exchange, std::size_t size) {
  return std::make_unique<Transpose>(exchange, size);
}

}  // namespace exchange

// SPDX-License-Identifier: BSD-3-Clause
#include "digest.hpp"
#include "transposing.hpp"

namespace exchange {
namespace {

class Transpose final : public Transposing<double> {
 public:
  Transpose(Exchange& exchange, std::size_t size)
      : Transposing(exchange, size), from_(rows_), to_(rows_) {
    for (std::size_t i = 0; i < rows_.count; ++i)
      for (std::size_t j = 0; j < size; ++j) from_.row(i)[j] = value(rows_.first + i, j);
  }
  [[nodiscard]] int exchanges() const override { return 1; }
  void compute(int stage) override {
    if (stage == 0) return transposer_.pack(from_);
    transposer_.unpack(to_);
  }
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

  Matrix<double> from_, to_;
};

}  // namespace

std::unique_ptr<Program> matrix_transpose(Exchange& exchange, std::size_t size) {
  return std::make_unique<Transpose>(exchange, size);
}

}  // namespace exchange

// SPDX-License-Identifier: BSD-3-Clause
// The product of a matrix and a vector. Each rank has some columns and the values of the vector for
// them, and computes a summand of the whole result. The summands are exchanged in parts, and each
// rank adds those of its part. All numbers are small integers, so that no sum is rounded.
#include "digest.hpp"

namespace exchange {
namespace {

double element(std::size_t row, std::size_t column) {
  return static_cast<double>((31 * row + 17 * column) % 13) - 6;
}
double value(std::size_t place) {
  return static_cast<double>(place % 7) - 3;
}

class MatrixVector final : public Program {
 public:
  MatrixVector(Exchange& exchange, std::size_t size)
      : exchange_(exchange),
        rows_(size),
        columns_(rows_.count * size),
        summands_(static_cast<std::size_t>(Exchange::ranks()) * rows_.height),
        arriving_(summands_.size()),
        result_(rows_.count) {
    for (std::size_t j = 0; j < rows_.count; ++j)
      for (std::size_t i = 0; i < size; ++i) columns_[j * size + i] = element(i, rows_.first + j);
  }

  [[nodiscard]] int exchanges() const override { return 1; }
  void compute(int stage) override {
    if (stage == 0) return multiply();
    std::ranges::fill(result_, 0);
    for (std::size_t part = 0; part < arriving_.size(); part += rows_.height)
      for (std::size_t i = 0; i < result_.size(); ++i) result_[i] += arriving_[part + i];
  }
  void exchange(int /*stage*/) override { exchange_.equal<double>(summands_, arriving_); }
  void pretend(int /*stage*/) override { std::ranges::copy(summands_, arriving_.begin()); }
  [[nodiscard]] Moved moved(int /*stage*/, int /*rank*/) override {
    const auto others = static_cast<std::size_t>(Exchange::ranks() - 1);
    const auto bytes = static_cast<double>(others * rows_.height * sizeof(double));
    return {bytes, bytes};
  }
  [[nodiscard]] double share(int /*stage*/, int rank) const override {
    return share_of(rows_, rank);
  }

  [[nodiscard]] double error() const override {
    for (std::size_t i = 0; i < rows_.count; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < rows_.size; ++j) sum += element(rows_.first + i, j) * value(j);
      if (sum != result_[i]) return 1;
    }
    return 0;
  }
  [[nodiscard]] std::uint64_t digest() const override {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < result_.size(); ++i)
      total += digest_of(rows_.first + i, result_[i]);
    return total;
  }

 private:
  void multiply() {
    std::ranges::fill(summands_, 0);
    for (std::size_t j = 0; j < rows_.count; ++j) {
      const double factor = value(rows_.first + j);
      const double* const column = &columns_[j * rows_.size];
      for (std::size_t i = 0; i < rows_.size; ++i) summands_[i] += factor * column[i];
    }
  }

  Exchange& exchange_;
  Rows rows_;  // also those of the result
  std::vector<double> columns_, summands_, arriving_, result_;
};

}  // namespace

std::unique_ptr<Program> matrix_vector(Exchange& exchange, std::size_t size) {
  return std::make_unique<MatrixVector>(exchange, size);
}

}  // namespace exchange

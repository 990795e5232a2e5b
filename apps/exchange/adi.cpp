// SPDX-License-Identifier: BSD-3-Clause
// The heat equation u_t = u_xx + u_yy on a square, with u = 0 at its border, by the method of
// alternating directions (Peaceman and Rachford, 1955). A step has two halves; each is implicit in
// one direction, along which it solves a tridiagonal system per line. Lines lie in one process, so
// the matrix is transposed between the halves.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "digest.hpp"
#include "transposing.hpp"

namespace exchange {
namespace {

constexpr int steps = 10;
constexpr double r = 0.8;  // half the time step over the square of the mesh width

// Solves (1 + 2 r) x_i - r (x_{i-1} + x_{i+1}) = b_i for all lines of one length.
class Tridiagonal {
 public:
  explicit Tridiagonal(std::size_t size) : factors_(size) {
    double factor = 0;
    for (double& each : factors_) each = factor = r / (1 + 2 * r - r * factor);
  }
  void solve(std::span<double> line) const {
    double before = 0;
    for (std::size_t i = 0; i < line.size(); ++i)
      before = line[i] = (line[i] + r * before) * factors_[i] / r;
    for (std::size_t i = line.size() - 1; i-- > 0;) line[i] += factors_[i] * line[i + 1];
  }

 private:
  std::vector<double> factors_;
};

// Applies 1 + r times the second difference along a line.
void explicit_half(std::span<double> line) {
  double before = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const double here = line[i], next = i + 1 < line.size() ? line[i + 1] : 0;
    line[i] = here + r * (before - 2 * here + next);
    before = here;
  }
}

class HeatEquation final : public Transposing<double> {
 public:
  HeatEquation(Exchange& exchange, std::size_t size)
      : Transposing(exchange, size), u_(rows_), system_(size) {}

  void begin() override {
    for (std::size_t i = 0; i < rows_.count; ++i)
      for (std::size_t j = 0; j < rows_.size; ++j) u_.row(i)[j] = at_start(rows_.first + i, j);
  }
  // Each half of a step is explicit before its transposition, and implicit after it.
  [[nodiscard]] int exchanges() const override { return 2 * steps; }
  void compute(int stage) override {
    if (stage > 0) {
      transposer_.unpack(u_);
      for (std::size_t i = 0; i < rows_.count; ++i) system_.solve(u_.row(i));
    }
    if (stage == exchanges()) return;
    for (std::size_t i = 0; i < rows_.count; ++i) explicit_half(u_.row(i));
    transposer_.pack(u_);
  }

  // The product of two sines is a solution whose height alone changes. The error counts beside the
  // largest value at the start, which is about 1: the height itself may become so small that the
  // roundings of the first steps exceed it.
  [[nodiscard]] double error() const override {
    const double height = std::pow(factor(1) * factor(2), steps);
    double wrong = 0;
    for (std::size_t i = 0; i < rows_.count; ++i)
      for (std::size_t j = 0; j < rows_.size; ++j)
        wrong = std::max(wrong, std::abs(u_.row(i)[j] - height * at_start(rows_.first + i, j)));
    return wrong;
  }
  [[nodiscard]] double tolerance() const override { return 1e-12; }
  [[nodiscard]] std::uint64_t digest() const override { return digest_of(u_); }

 private:
  [[nodiscard]] double angle() const {
    return std::numbers::pi / static_cast<double>(rows_.size + 1);
  }
  [[nodiscard]] double sine(double waves, std::size_t i) const {
    return std::sin(waves * angle() * static_cast<double>(i + 1));
  }
  // The sines of the two directions differ, so that the result is wrong if the matrix is not
  // transposed.
  [[nodiscard]] double at_start(std::size_t i, std::size_t j) const {
    return sine(1, i) * sine(2, j);
  }
  // Returns by what a step multiplies this many waves in one direction: it is explicit there in one
  // half and implicit in the other. The second difference of a sine is -mu times the sine.
  [[nodiscard]] double factor(double waves) const {
    const double mu = 4 * std::pow(std::sin(waves * angle() / 2), 2);
    return (1 - r * mu) / (1 + r * mu);
  }

  Matrix<double> u_;
  Tridiagonal system_;
};

}  // namespace

std::unique_ptr<Program> heat_equation(Exchange& exchange, std::size_t size) {
  return std::make_unique<HeatEquation>(exchange, size);
}

}  // namespace exchange
